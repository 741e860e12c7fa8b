//===- Clocks.cpp - Which work of the GPU has certainly ended -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector clocks with one entry for each stream.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Clocks.h"

namespace echo::dr {

void Clocks::join(uint64_t *Into, const uint64_t *From) {
  for (unsigned I = 0; I != MaxStreams; ++I)
    if (From[I] > Into[I])
      Into[I] = From[I];
}

int Clocks::find(uint64_t Handle) const {
  if (Handle <= 1)
    return 0;
  for (unsigned I = 1; I != MaxStreams; ++I)
    if (Streams[I].Used && Streams[I].Handle == Handle)
      return static_cast<int>(I);
  return -1;
}

int Clocks::findOrAdd(uint64_t Handle) {
  const int Known = find(Handle);
  if (Known >= 0)
    return Known;
  int Free = -1;
  for (unsigned I = 1; I != MaxStreams && Free < 0; ++I)
    if (!Streams[I].Used)
      Free = static_cast<int>(I);
  // A place whose work has ended: only the order with other streams is lost.
  for (unsigned I = 1; I != MaxStreams && Free < 0; ++I)
    if (Done[I] >= Streams[I].Last)
      Free = static_cast<int>(I);
  if (Free < 0)
    return -1;
  Streams[Free] = Stream();
  Streams[Free].Used = true;
  Streams[Free].Handle = Handle;
  Streams[Free].NonBlocking = true; // unless its creation is seen
  return Free;
}

void Clocks::create(uint64_t Handle, bool NonBlocking) {
  destroy(Handle);
  const int I = findOrAdd(Handle);
  if (I > 0)
    Streams[I].NonBlocking = NonBlocking;
}

void Clocks::destroy(uint64_t Handle) {
  const int I = find(Handle);
  if (I > 0)
    Streams[I].Handle = 0; // find() never looks for it
}

void Clocks::followLegacy(uint64_t Handle) {
  const int I = findOrAdd(Handle);
  if (I > 0)
    Streams[I].NonBlocking = false;
}

/// What comes next in the stream \p I follows what the legacy stream and
/// blocking streams wait for.
void Clocks::order(int I) {
  Stream &S = Streams[I];
  if (I == 0) {
    for (unsigned J = 1; J != MaxStreams; ++J)
      if (Streams[J].Used && !Streams[J].NonBlocking)
        join(S.Follows, Streams[J].Follows);
  } else if (!S.NonBlocking) {
    join(S.Follows, Streams[0].Follows);
  }
}

void Clocks::work(uint64_t Handle, bool Orders) {
  const int I = findOrAdd(Handle);
  const uint64_t Number = ++Last;
  if (I < 0) {
    Unfollowed = Number;
    return;
  }
  if (Orders)
    order(I);
  Streams[I].Last = Streams[I].Follows[I] = Number;
}

void Clocks::pass(uint64_t Handle) {
  if (const int I = find(Handle); I >= 0)
    order(I);
}

const Clocks::Event *Clocks::findEvent(uint64_t Handle) const {
  for (const Event &E : Events)
    if (E.Used && E.Handle == Handle)
      return &E;
  return nullptr;
}

void Clocks::record(uint64_t Handle, uint64_t InStream) {
  auto *E = const_cast<Event *>(findEvent(Handle));
  for (unsigned I = 0; !E && I != MaxEvents; ++I)
    if (!Events[I].Used)
      E = &Events[I];
  if (!E)
    E = &Events[Oldest++ % MaxEvents];
  E->Handle = Handle;
  const int I = find(InStream);
  E->Used = I >= 0;
  if (I < 0)
    return;
  for (unsigned J = 0; J != MaxStreams; ++J)
    E->Follows[J] = Streams[I].Follows[J];
  // An event takes its place in the order of streams as work does.
  if (I == 0) {
    for (unsigned J = 1; J != MaxStreams; ++J)
      if (Streams[J].Used && !Streams[J].NonBlocking)
        join(E->Follows, Streams[J].Follows);
  } else if (!Streams[I].NonBlocking) {
    join(E->Follows, Streams[0].Follows);
  }
}

void Clocks::wait(uint64_t Waiting, uint64_t Handle) {
  const Event *E = findEvent(Handle);
  const int I = findOrAdd(Waiting);
  if (E && I >= 0)
    join(Streams[I].Follows, E->Follows);
}

void Clocks::forget(uint64_t Handle) {
  if (auto *E = const_cast<Event *>(findEvent(Handle)))
    E->Used = false;
}

void Clocks::coverDevice(Covered &C) const {
  for (unsigned I = 0; I != MaxStreams; ++I)
    C.Upto[I] = Streams[I].Last;
  C.Unfollowed = Unfollowed;
}

void Clocks::coverStream(uint64_t Handle, Covered &C) const {
  const int I = find(Handle);
  for (unsigned J = 0; J != MaxStreams; ++J)
    C.Upto[J] = I < 0 ? 0 : Streams[I].Follows[J];
  C.Unfollowed = 0;
}

void Clocks::coverEvent(uint64_t Handle, Covered &C) const {
  const Event *E = findEvent(Handle);
  for (unsigned J = 0; J != MaxStreams; ++J)
    C.Upto[J] = E ? E->Follows[J] : 0;
  C.Unfollowed = 0;
}

void Clocks::ended(const Covered &C) {
  join(Done, C.Upto);
  if (C.Unfollowed > UnfollowedDone)
    UnfollowedDone = C.Unfollowed;
}

bool Clocks::hasEnded(uint64_t Event) const {
  const auto *E = findEvent(Event);
  if (!E) // whatever it follows is among all work
    return quiescent();
  for (unsigned I = 0; I != MaxStreams; ++I)
    if (Done[I] < E->Follows[I])
      return false;
  return true;
}

bool Clocks::quiescent() const {
  for (unsigned I = 0; I != MaxStreams; ++I)
    if (Done[I] < Streams[I].Last)
      return false;
  return UnfollowedDone >= Unfollowed;
}

int Clocks::beside(uint64_t (&Handles)[MaxStreams]) const {
  if (Unfollowed > UnfollowedDone)
    return -1;
  int Count = 0;
  for (unsigned I = 1; I != MaxStreams; ++I) {
    const Stream &S = Streams[I];
    if (!S.Used || !S.NonBlocking || S.Last <= Done[I])
      continue;
    if (!S.Handle)
      return -1;
    Handles[Count++] = S.Handle;
  }
  return Count;
}

bool Clocks::quiescentAfter(const Covered &C) const {
  for (unsigned I = 0; I != MaxStreams; ++I)
    if (Done[I] < Streams[I].Last && C.Upto[I] < Streams[I].Last)
      return false;
  return UnfollowedDone >= Unfollowed || C.Unfollowed >= Unfollowed;
}

void Clocks::clear() {
  for (Stream &S : Streams)
    S = Stream();
  for (Event &E : Events)
    E.Used = false;
  for (uint64_t &D : Done)
    D = 0;
  UnfollowedDone = Unfollowed;
}

} // namespace echo::dr
