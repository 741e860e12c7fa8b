//===- LegacyOrder.cpp - Whom the legacy stream orders --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/LegacyOrder.h"

namespace echo::dr {

/// Whether there is a stream that waits for the legacy one, and that it waits
/// for: a blocking stream, or a thread's default stream; atomic.
static bool HasFollowers;
/// Whether the legacy stream was given anything that blocking streams may wait
/// for: work, a wait for an event, or what is not followed; atomic.
static bool HasWork;

/// Streams that were made as non-blocking ones; 0: free. Those that find no
/// place are taken for blocking ones. Atomic.
static constexpr unsigned MostNonBlocking = 256;
static uint64_t NonBlocking[MostNonBlocking];

/// Puts \p To where \p From is. False if it is nowhere.
static bool replace(uint64_t From, uint64_t To) {
  for (uint64_t &Slot : NonBlocking) {
    uint64_t Expected = From;
    if (__atomic_compare_exchange_n(&Slot, &Expected, To, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return true;
  }
  return false;
}

static bool isNonBlocking(uint64_t Stream) {
  for (const uint64_t &Slot : NonBlocking)
    if (__atomic_load_n(&Slot, __ATOMIC_ACQUIRE) == Stream)
      return true;
  return false;
}

/// Notes that \p Flag holds. Threads read it often, and one that is set is not
/// written again.
static void raise(bool &Flag) {
  if (!__atomic_load_n(&Flag, __ATOMIC_RELAXED))
    __atomic_store_n(&Flag, true, __ATOMIC_RELEASE);
}

void noteOtherUse(uint64_t Stream) {
  if (isLegacy(Stream))
    raise(HasWork);
}

void noteStreamUse(const Event &E) {
  if (E.R.Stream == PerThreadStream)
    raise(HasFollowers);
  switch (static_cast<Record>(E.R.Kind)) {
  case Record::StreamCreate:
    if (!(E.R.Flags & 1))
      raise(HasFollowers);
    return;
  case Record::StreamDestroy:
    // Before the call: another thread may get the same handle after it.
    if (E.R.Stream > PerThreadStream)
      replace(E.R.Stream, 0);
    return;
  case Record::Copy:
  case Record::Set:
  case Record::Launch:
  case Record::HostFunc:
  case Record::StreamWait:
  case Record::EventRecord:
    return noteOtherUse(E.R.Stream);
  default:
    return;
  }
}

void noteStreamMade(const Event &E, int Status) {
  if (static_cast<Record>(E.R.Kind) != Record::StreamCreate || Status != 0)
    return;
  // A stream may have gone with its context.
  replace(E.R.Stream, 0);
  if (E.R.Flags & 1)
    replace(0, E.R.Stream);
}

bool mayFollowOthers(uint64_t Stream) {
  if (isLegacy(Stream))
    return __atomic_load_n(&HasFollowers, __ATOMIC_ACQUIRE);
  return __atomic_load_n(&HasWork, __ATOMIC_ACQUIRE) && !isNonBlocking(Stream);
}

} // namespace echo::dr
