//===- Unfollowed.cpp - What Echo does not follow -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffers that such a call names drop out. Device memory that is no
// allocation of the program's (a variable, another process's, a reservation of
// addresses) becomes a range all the same: a copy of it then shows with the
// reason, and no copy of it is taken for one of another buffer.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/driver/Call.h"
#include "runtime/dr/driver/Ops.h"
#include "runtime/dr/driver/Resolve.h"

namespace echo::dr {

namespace {

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
  case NodeMemAlloc: // noted when it is there
    return;
  case NodeMemFree:
    if (N->Freed)
      dropOut(at(N->Freed), Why);
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
    case Role::Attribute:
      if (const auto *A = at<const uint64_t>(Word))
        if (static_cast<uint32_t>(C.get(Role::Value)) == AttributeWindow && *A)
          dropOut(at(*A), Why);
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

/// How much of the driver's allocation around \p Address lies from there on; 0
/// if the driver does not tell.
uint64_t bytesBehind(uint64_t Address) {
  Inside Own;
  void *Function = realDriverFunction("cuMemGetAddressRange_v2");
  uint64_t Base = 0;
  size_t Bytes = 0;
  const uint64_t Args[] = {reinterpret_cast<uint64_t>(&Base),
                           reinterpret_cast<uint64_t>(&Bytes), Address};
  if (!Function || invokeDriver(Function, 3, Args) || Address - Base >= Bytes)
    return 0;
  return Bytes - (Address - Base);
}

/// There are \p Bytes (0: it is not known how many) of memory at \p Address.
void note(uint64_t Address, uint64_t Bytes, Reason Why) {
  if (!Address || isInside())
    return;
  Event E;
  E.Ops = &DriverOps;
  E.R.Kind = static_cast<uint8_t>(Record::DeviceAlloc);
  E.R.Flags = static_cast<uint8_t>(How::Foreign);
  E.R.A = Address;
  E.R.Bytes = Bytes ? Bytes : bytesBehind(Address);
  if (before(E) == Action::Run)
    after(E, 0);
  dropOut(at(Address), Why);
}

/// The planes of a frame may lie one after the other.
void noteFrame(const EglFrame &F, Reason Why) {
  if (F.Type != FramePitch)
    return;
  for (uint32_t I = 0; I != F.PlaneCount && I != 3; ++I) {
    uint64_t Bytes = uint64_t(F.Pitch) * F.Height;
    for (uint32_t J = 0; J != F.PlaneCount && J != 3; ++J)
      if (F.Plane[J] > F.Plane[I] && F.Plane[J] - F.Plane[I] < Bytes)
        Bytes = F.Plane[J] - F.Plane[I];
    note(F.Plane[I], Bytes, Why);
  }
}

} // namespace

void dropUnfollowed(const Call &C) {
  if (C.find(Role::Stream) >= 0 || C.Row.Kind == DriverKind::CopyShape)
    streamUsed(C.stream());
  switch (C.Row.Kind) {
  case DriverKind::MarkAll:
    return dropOut(nullptr, C.Row.Why);
  case DriverKind::Register:
  case DriverKind::Unregister:
    return dropNamed(C, Reason::PinnedByProgram);
  case DriverKind::Born: // it names nothing that was there before
    return;
  default:
    return dropNamed(C, C.Row.Why);
  }
}

void noteBirths(const Call &C) {
  if (const auto *N = at<const NodeParams>(C.get(Role::Node));
      N && N->Type == NodeMemAlloc)
    return note(N->Alloc.Device, N->Alloc.Bytes, C.Row.Why);
  if (C.Row.Kind != DriverKind::Born)
    return;
  if (const auto *N = at<const AllocNodeParams>(C.get(Role::AllocNode)))
    return note(N->Device, N->Bytes, C.Row.Why);
  if (const auto *F = at<const EglFrame>(C.get(Role::Frame)))
    return noteFrame(*F, C.Row.Why);
  const auto *Address = at<const uint64_t>(C.get(Role::OutDev));
  if (!Address) // only a size was asked for
    return;
  uint64_t Bytes = C.get(Role::Bytes);
  if (const auto *Size = at<const size_t>(C.get(Role::OutSize)))
    Bytes = *Size;
  if (const auto *Region = at<const MappedRegion>(C.get(Role::Region)))
    Bytes = Region->Bytes;
  note(*Address, Bytes, C.Row.Why);
}

void noteAttributes(const LaunchAttribute *Attributes, uint64_t Count,
                    const DeviceOps &Ops) {
  for (uint64_t I = 0; Attributes && I != Count; ++I) {
    const LaunchAttribute &A = Attributes[I];
    if (A.Id == AttributeWindow && A.Window)
      dropOut(at(A.Window), Reason::Prefetched);
    if (A.Id != AttributeProgrammaticEvent && A.Id != AttributeCompletionEvent)
      continue;
    Event E;
    E.Ops = &Ops;
    E.R.Kind = static_cast<uint8_t>(Record::EventDestroy);
    E.R.A = A.Event;
    if (before(E) == Action::Run)
      after(E, 0);
  }
}

} // namespace echo::dr
