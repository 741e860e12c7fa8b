//===- Call.cpp - What a driver call is to the core -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each wrapper ends here. The row of the table says what the call does and
// which parameter is what; from that the event is made that the core asks
// about. Calls which reach a buffer in a way that Echo does not follow make the
// buffer drop out before they run, and then run as they are. A call inside of
// one that was already counted (the CUDA runtime's own) goes straight through.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/driver/Descriptors.h"
#include "runtime/dr/driver/Ops.h"
#include "runtime/dr/driver/Resolve.h"

namespace echo::dr {

namespace {

constexpr int NotFound = 500; // CUDA_ERROR_NOT_FOUND
constexpr uint64_t LegacyStream = 0, PerThreadStream = 2;

/// A parameter that is an address.
template <class T = const void> T *at(uint64_t Word) {
  return reinterpret_cast<T *>(Word); // NOLINT(performance-no-int-to-ptr)
}

/// The parameters of one call by their role.
class Call {
public:
  Call(DriverEntry Entry, const uint64_t *Args)
      : Row(DriverRows[Entry.Row]), PerThread(Entry.PerThread), Args(Args) {}

  /// The position of the first parameter that is a \p Wanted, or -1.
  int find(Role Wanted) const {
    for (unsigned I = 0; I != Row.NumArgs; ++I)
      if (Row.Roles[I] == Wanted)
        return static_cast<int>(I);
    return -1;
  }
  uint64_t get(Role Wanted) const {
    const int I = find(Wanted);
    return I < 0 ? 0 : Args[I];
  }
  /// The last of the parameters that are a \p Wanted; 32 bits of it.
  uint32_t lastValue() const {
    for (unsigned I = Row.NumArgs; I-- != 0;)
      if (Row.Roles[I] == Role::Value)
        return static_cast<uint32_t>(Args[I]);
    return 0;
  }
  uint64_t stream() const { return named(get(Role::Stream)); }
  /// A stream's handle as traces have it: stream 0 is one of two.
  uint64_t named(uint64_t Handle) const {
    return Handle > 1             ? Handle
           : PerThread && !Handle ? PerThreadStream
                                  : LegacyStream;
  }

  const DriverRow &Row;
  const bool PerThread;
  const uint64_t *const Args;
};

/// \p S is a Shape2D or a Shape3D.
template <class ShapeT> void dropShape(const ShapeT *S, Reason Why) {
  if (!S)
    return;
  if (S->SrcType == TypeHost)
    dropOut(S->SrcHost, Why);
  else if (S->SrcType != TypeArray)
    dropOut(at(S->SrcDevice), Why);
  if (S->DstType == TypeHost)
    dropOut(S->DstHost, Why);
  else if (S->DstType != TypeArray)
    dropOut(at(S->DstDevice), Why);
}

void dropNode(const NodeParams *N, Reason Why) {
  if (!N)
    return;
  switch (N->Type) {
  case NodeMemcpy:
    return dropShape(&N->Memcpy.Copy, Why);
  case NodeKernel: // what it names, a launch could name
  case NodeMemset:
  case NodeHost:
  case NodeGraph:
  case NodeEmpty:
  case NodeWaitEvent:
    return;
  case NodeEventRecord: // nobody is seen to record it
    break;
  }
  dropOut(nullptr, Why);
}

/// Every buffer that the parameters name drops out. Null names none.
void dropNamed(const Call &C, Reason Why) {
  for (unsigned I = 0; I != C.Row.NumArgs; ++I) {
    const uint64_t Word = C.Args[I];
    switch (C.Row.Roles[I]) {
    case Role::Dev:
    case Role::Host:
    case Role::Dst:
    case Role::Src:
    case Role::DstHost:
    case Role::SrcHost:
      if (Word)
        dropOut(at(Word), Why);
      break;
    case Role::Shape2D:
      dropShape(at<const Shape2D>(Word), Why);
      break;
    case Role::Shape3D:
    case Role::ShapePeer:
      dropShape(at<const Shape3D>(Word), Why);
      break;
    case Role::Node:
      dropNode(at<const NodeParams>(Word), Why);
      break;
    case Role::Resource:
      if (const auto *R = at<const ResourceDesc>(Word))
        if (R->Type == ResourceLinear || R->Type == ResourcePitch2D)
          dropOut(at(R->Device), Why);
      break;
    case Role::Addresses:
      for (uint64_t J = 0; Word && J != C.get(Role::Count); ++J)
        if (const uint64_t Address = at<uint64_t>(Word)[J])
          dropOut(at(Address), Why);
      break;
    default:
      break;
    }
  }
}

/// The direction of a copy; 0 if unified addresses are to tell.
uint8_t direction(const Call &C) {
  if (C.find(Role::SrcHost) >= 0)
    return CopyH2D;
  if (C.find(Role::DstHost) >= 0)
    return CopyD2H;
  return C.Row.Base[8] == 'D' ? CopyD2D : 0; // cuMemcpyDtoD
}

/// Fills \p E for the calls that are events. False for all others.
bool fill(const Call &C, Event &E) {
  TraceRecord &R = E.R;
  const auto Kind = [&R](Record K) { R.Kind = static_cast<uint8_t>(K); };
  const auto HowItWas = [&R](How H) { R.Flags = static_cast<uint8_t>(H); };
  switch (C.Row.Kind) {
  case DriverKind::AllocDevice:
  case DriverKind::AllocPool:
  case DriverKind::AllocManaged:
  case DriverKind::AllocPitch:
    Kind(Record::DeviceAlloc);
    HowItWas(C.Row.Kind == DriverKind::AllocDevice    ? How::Device
             : C.Row.Kind == DriverKind::AllocManaged ? How::Managed
             : C.Row.Kind == DriverKind::AllocPitch   ? How::Pitched
             : C.find(Role::Handle) >= 0              ? How::DevicePool
                                                      : How::DeviceAsync);
    R.Bytes = C.Row.Kind == DriverKind::AllocPitch ? C.Args[2] * C.Args[3]
                                                   : C.get(Role::Bytes);
    if (C.Row.Kind == DriverKind::AllocPool)
      R.Stream = C.stream();
    return true;
  case DriverKind::AllocHost:
    Kind(Record::HostAlloc);
    HowItWas(How::Pinned);
    R.Bytes = C.get(Role::Bytes);
    return true;
  case DriverKind::FreeDevice:
    Kind(Record::DeviceFree);
    R.A = C.get(Role::Dev);
    R.Stream = C.stream();
    return true;
  case DriverKind::FreeHost:
    Kind(Record::HostFree);
    HowItWas(How::Pinned);
    R.A = C.get(Role::Host);
    return true;
  case DriverKind::Copy:
  case DriverKind::CopyAsync:
    Kind(Record::Copy);
    R.A = C.find(Role::Dst) >= 0 ? C.get(Role::Dst) : C.get(Role::DstHost);
    R.B = C.find(Role::Src) >= 0 ? C.get(Role::Src) : C.get(Role::SrcHost);
    R.Bytes = C.get(Role::Bytes);
    R.Stream = C.stream();
    R.Flags = direction(C);
    if (C.Row.Kind == DriverKind::CopyAsync)
      R.Flags |= CopyAsync;
    return true;
  case DriverKind::Set:
  case DriverKind::SetAsync:
    Kind(Record::Set);
    R.A = C.get(Role::Dst);
    R.Bytes = C.get(Role::Size); // elements, or the pitch: above 0 is enough
    R.Stream = C.stream();
    R.Flags = C.Row.Kind == DriverKind::SetAsync ? CopyAsync : 0;
    return true;
  case DriverKind::Launch:
    Kind(Record::Launch);
    R.A = C.get(Role::Handle);
    R.Stream = C.stream();
    return true;
  case DriverKind::LaunchConfig:
    Kind(Record::Launch);
    R.A = C.get(Role::Handle);
    if (const auto *Config = at<const LaunchConfig>(C.Args[0]))
      R.Stream = C.named(reinterpret_cast<uint64_t>(Config->Stream));
    return true;
  case DriverKind::HostFunc:
    Kind(Record::HostFunc);
    R.Stream = C.stream();
    return true;
  case DriverKind::SyncContext:
    Kind(Record::SyncDevice);
    return true;
  case DriverKind::SyncStream:
    Kind(Record::SyncStream);
    R.Stream = C.stream();
    return true;
  case DriverKind::SyncEvent:
    Kind(Record::SyncEvent);
    R.A = C.get(Role::Event);
    return true;
  case DriverKind::QueryStream:
    Kind(Record::QueryDone);
    R.Stream = C.stream();
    return true;
  case DriverKind::QueryEvent:
    Kind(Record::QueryDone);
    R.A = C.get(Role::Event);
    return true;
  case DriverKind::EventRecord:
    Kind(Record::EventRecord);
    R.A = C.get(Role::Event);
    R.Stream = C.stream();
    return true;
  case DriverKind::StreamWait:
    Kind(Record::StreamWait);
    R.A = C.get(Role::Event);
    R.Stream = C.stream();
    return true;
  case DriverKind::StreamCreate:
    Kind(Record::StreamCreate);
    R.Flags = static_cast<uint32_t>(C.Args[1]) & 1; // CU_STREAM_NON_BLOCKING
    return true;
  case DriverKind::StreamDestroy:
    Kind(Record::StreamDestroy);
    R.Stream = C.stream();
    return true;
  case DriverKind::EventDestroy:
    Kind(Record::EventDestroy);
    R.A = C.get(Role::Event);
    return true;
  case DriverKind::CaptureBegin:
  case DriverKind::CaptureEnd:
    Kind(Record::Capture);
    R.Flags = C.Row.Kind == DriverKind::CaptureBegin ? 1 : 2;
    R.Stream = C.stream();
    return true;
  case DriverKind::Reset:
    Kind(Record::Reset);
    return true;
  case DriverKind::Register:
  case DriverKind::Unregister:
  case DriverKind::CopyShape:
  case DriverKind::CopyShapeAsync:
  case DriverKind::Inspect:
  case DriverKind::Mark:
  case DriverKind::MarkAll:
    return false;
  }
  return false;
}

/// What only the returned call knows: the pointer, the pitch, the stream.
void complete(const Call &C, Event &E) {
  switch (C.Row.Kind) {
  case DriverKind::AllocPitch:
    E.R.Bytes = *at<size_t>(C.Args[1]) * C.Args[3];
    [[fallthrough]];
  case DriverKind::AllocDevice:
  case DriverKind::AllocPool:
  case DriverKind::AllocManaged:
  case DriverKind::AllocHost:
    E.R.A = *at<uint64_t>(C.Args[0]);
    break;
  case DriverKind::StreamCreate:
    E.R.Stream = *at<uint64_t>(C.Args[0]);
    break;
  default:
    break;
  }
}

/// A skipped allocation's answer goes where the driver would have put it.
void handOut(const Call &C, const Event &E) {
  const Role First = C.Row.NumArgs ? C.Row.Roles[0] : Role::None;
  if (!E.R.Status && (First == Role::OutDev || First == Role::OutHost))
    *at<uint64_t>(C.Args[0]) = E.R.A;
}

void drop(const Call &C) {
  switch (C.Row.Kind) {
  case DriverKind::MarkAll:
    return dropOut(nullptr, C.Row.Why);
  case DriverKind::Register:
  case DriverKind::Unregister:
    return dropNamed(C, Reason::PinnedByProgram);
  default:
    return dropNamed(C, C.Row.Why);
  }
}

} // namespace

int driverCall(DriverEntry Entry, uint64_t *Args) {
  const unsigned NumArgs = DriverRows[Entry.Row].NumArgs;
  void *Function = realDriverFunction(Entry);
  if (!Function)
    return NotFound;
  if (mode() == Mode::Off)
    return invokeDriver(Function, NumArgs, Args);
  noteCudaCall();
  const Call C(Entry, Args);
  Event E;
  if (!fill(C, E)) {
    if (!isInside())
      drop(C);
    return invokeDriver(Function, NumArgs, Args);
  }
  E.Ops = &DriverOps;
  if (before(E) == Action::Skip) {
    handOut(C, E);
    return E.R.Status;
  }
  const int Status = invokeDriver(Function, NumArgs, Args);
  if (!Status)
    complete(C, E);
  return after(E, Status);
}

} // namespace echo::dr
