//===- StandIn.cpp - Ordinary memory in the place of a buffer's -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread keeps one page range for its small uploads, since each has read its
// source when it returns. The rest is rare: it is mapped and unmapped at once.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/StandIn.h"
#include "runtime/dr/Clock.h"
#include "runtime/dr/OwnMemory.h"
#include "runtime/dr/Threads.h"

#include <initializer_list>
#include <string.h>
#include <time.h>

namespace echo::dr {

const void *ordinaryPage() {
  // The library's own data: any page of ordinary memory would do.
  alignas(4096) static char Page[4096];
  return Page + 64;
}

static void *bytesAt(uint64_t Address) {
  return reinterpret_cast<void *>(Address); // NOLINT
}

bool takeAlong(Event &E) {
  Thread *Me = thisThread();
  if (!Me)
    return false;
  if (!Me->TakenAlong)
    Me->TakenAlong = mapOwn(MostTakenAlong);
  if (!Me->TakenAlong)
    return false;
  memcpy(Me->TakenAlong, bytesAt(E.R.B), E.R.Bytes);
  E.Instead[1] = reinterpret_cast<uintptr_t>(Me->TakenAlong);
  return true;
}

static void *make(const Event &E, uint8_t Side) {
  void *Made = nullptr;
  if (Side & (DstHost | SrcHost))
    Made = mapOwn(E.R.Bytes);
  else if (!E.Ops->allocDevice || E.Ops->allocDevice(&Made, E.R.Bytes))
    Made = nullptr;
  if (Made && Side == SrcHost)
    memcpy(Made, bytesAt(E.R.B), E.R.Bytes);
  return Made;
}

static void drop(Event &E) {
  for (const uint8_t Side : {DstHost, SrcHost, DstDevice, SrcDevice}) {
    if (!(E.StandIns & Side))
      continue;
    uint64_t &At = E.Instead[Side & (SrcHost | SrcDevice) ? 1 : 0];
    if (Side & (DstHost | SrcHost))
      unmapOwn(bytesAt(At), E.R.Bytes);
    else
      E.Ops->freeManaged(bytesAt(At));
    At = 0;
  }
  E.StandIns = 0;
}

bool standIn(Event &E, uint8_t Sides) {
  for (const uint8_t Side : {DstHost, SrcHost, DstDevice, SrcDevice}) {
    if (!(Sides & Side))
      continue;
    void *Made = make(E, Side);
    if (!Made) {
      drop(E);
      return false;
    }
    E.StandIns |= Side;
    E.Instead[Side & (SrcHost | SrcDevice) ? 1 : 0] =
        reinterpret_cast<uintptr_t>(Made);
  }
  return true;
}

bool endsWithin(const Event &E, unsigned Microseconds) {
  constexpr uint64_t Spins = 10000; // microseconds
  if (!E.Ops->queryStream)
    return true;
  const uint64_t Begin = clockNs() / 1000;
  while (E.Ops->queryStream(bytesAt(E.R.Stream)) == NotReady) {
    const uint64_t Passed = clockNs() / 1000 - Begin;
    if (Passed >= Microseconds)
      return false;
    // A wait of CUDA's spins, too.
    const timespec Pause = {0, static_cast<long>(Passed)}; // a thousandth
    if (Passed > Spins)
      nanosleep(&Pause, nullptr);
  }
  return true;
}

int endStandIn(Event &E, int Status, bool KeepsBytes) {
  if (!E.StandIns)
    return Status;
  if (!Status && !(E.StandIns & SrcIsRead))
    Status = E.Ops->waitStream(bytesAt(E.R.Stream));
  if (!Status && KeepsBytes && E.StandIns & DstHost)
    memcpy(bytesAt(E.R.A), bytesAt(E.Instead[0]), E.R.Bytes);
  drop(E);
  return Status;
}

} // namespace echo::dr
