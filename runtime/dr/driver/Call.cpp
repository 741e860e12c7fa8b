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
#include "runtime/dr/driver/Call.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/driver/Descriptors.h"
#include "runtime/dr/driver/Ops.h"
#include "runtime/dr/driver/Resolve.h"

#include <initializer_list>

namespace echo::dr {

namespace {

constexpr int NotFound = 500; // CUDA_ERROR_NOT_FOUND
/// The direction of a copy; 0 if unified addresses are to tell.
uint8_t direction(const Call &C) {
  if (C.find(Role::SrcHost) >= 0)
    return CopyH2D;
  if (C.find(Role::DstHost) >= 0)
    return CopyD2H;
  return C.Row.Base[8] == 'D' ? CopyD2D : 0; // cuMemcpyDtoD
}

uint64_t currentContext() {
  uint64_t Context = 0;
  return DriverOps.currentContext(&Context) ? 0 : Context;
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
      streamUsed(R.Stream = C.stream());
    return true;
  case DriverKind::AllocHost:
    Kind(Record::HostAlloc);
    HowItWas(How::Pinned);
    R.Bytes = C.get(Role::Bytes);
    E.Special = C.Row.NumArgs > 2 && C.Args[2] & 2; // CU_MEMHOSTALLOC_DEVICEMAP
    return true;
  case DriverKind::FreeDevice:
    Kind(Record::DeviceFree);
    R.A = C.get(Role::Dev);
    R.Stream = C.stream();
    if (C.find(Role::Stream) >= 0) {
      dropOut(reinterpret_cast<const void *>(R.A), Reason::FreedInOrder);
      streamUsed(R.Stream);
    }
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
    if (C.Row.Base[2] == 'G') // cuGraphLaunch
      R.Flags = LaunchGraph;
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
    // Another context than the thread's: what it covers is not known.
    if (C.Row.NumArgs && C.Args[0] && C.Args[0] != currentContext())
      return false;
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
  case DriverKind::Elapsed:
    Kind(Record::QueryDone);
    R.A = C.get(Role::Event);
    R.B = C.get(Role::Handle);
    E.Special = true;
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
  case DriverKind::EventForget:
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
  case DriverKind::Born:
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

/// The addresses that a copy, or a free, gets in the place of the program's.
void exchange(const Call &C, const Event &E, uint64_t *Args) {
  if (!E.Instead[0] && !E.Instead[1])
    return;
  if (C.Row.Kind == DriverKind::FreeHost && E.Instead[0])
    Args[C.find(Role::Host)] = E.Instead[0];
  const Role Roles[][2] = {{Role::Dst, Role::DstHost},
                           {Role::Src, Role::SrcHost}};
  for (unsigned I = 0; I != 2; ++I)
    for (const Role R : Roles[I])
      if (const int At = C.find(R); E.Instead[I] && At >= 0)
        Args[At] = E.Instead[I];
}

} // namespace

int driverCall(DriverEntry Entry, uint64_t *Args) {
  const DriverRow &Row = DriverRows[Entry.Row];
  void *Function = realDriverFunction(Entry);
  if (!Function)
    return NotFound;
  if (mode() == Mode::Off)
    return invokeDriver(Row, Function, Args);
  noteCudaCall();
  if (goesUnseen(Row.Kind))
    return invokeDriver(Row, Function, Args);
  const Call C(Entry, Args);
  for (const Role Out : {Role::OutDev, Role::OutHost, Role::OutStream})
    if (C.find(Out) >= 0 && !C.get(Out)) // CUDA says what is wrong
      return invokeDriver(Row, Function, Args);
  Event E;
  if (!fill(C, E)) {
    int Answer = 0;
    if (answerAbout(C, Function, Answer))
      return Answer;
    dropUnfollowed(C);
    const int Status = invokeDriver(Row, Function, Args);
    if (!Status)
      noteBirths(C);
    return Status;
  }
  if (Row.Kind == DriverKind::LaunchConfig)
    if (const auto *Config = at<const LaunchConfig>(Args[0]))
      noteAttributes(Config->Attributes, Config->NumAttributes, DriverOps);
  E.Ops = &DriverOps;
  if (before(E) == Action::Skip) {
    handOut(C, E);
    return E.R.Status;
  }
  exchange(C, E, Args);
  const int Status = invokeDriver(Row, Function, Args);
  if (!Status)
    complete(C, E);
  return after(E, Status);
}

} // namespace echo::dr
