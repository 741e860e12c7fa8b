//===- Waits.cpp - What takes a copy's place waits for -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Waits.h. The watch is told of each wait as of the program's own.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/optimize/Waits.h"
#include "runtime/dr/optimize/LegacyOrder.h"
#include "runtime/dr/optimize/StandIn.h"
#include "runtime/dr/optimize/Watch.h"

namespace echo::dr {

/// The program's own calls that would do what DeviceOps::waitRecorded does, as
/// the watch must see them.
static int waitRecorded(const Event &E, bool InStream) {
  static __thread char Recorded; // an address that is no event of CUDA's
  const auto Step = [&E](Record Kind) {
    Event Own;
    Own.R.Kind = static_cast<uint8_t>(Kind);
    Own.R.A = reinterpret_cast<uintptr_t>(&Recorded);
    Own.R.Stream = E.R.Stream;
    return Own;
  };
  const Event Begins = Step(Record::EventRecord),
              Waits = Step(InStream ? Record::StreamWait : Record::SyncEvent),
              Ends = Step(Record::EventDestroy);
  watchBefore(Begins);
  watchAfter(Begins, 0);
  watchBefore(Waits);
  const int Status =
      E.Ops->waitRecorded(reinterpret_cast<void *>(E.R.Stream), InStream);
  watchAfter(Waits, Status);
  watchBefore(Ends);
  return Status;
}

static int waitStream(const Event &E) {
  Event Wait;
  Wait.R.Stream = E.R.Stream;
  Wait.R.Kind = static_cast<uint8_t>(Record::SyncStream);
  watchBefore(Wait);
  const int Status = E.Ops->waitStream(reinterpret_cast<void *>(E.R.Stream));
  watchAfter(Wait, Status);
  return Status;
}

int waitForEarlier(const Event &E) {
  return mayFollowOthers(E.R.Stream) ? waitRecorded(E, false) : waitStream(E);
}

int waitAsPlanned(const Event &E, const PlanPair &P, bool Up) {
  // One call may copy both ways: the stronger wait holds.
  drplan::Wait Needed = drplan::Wait::None;
  bool Planned = false;
  for (unsigned I = 0; I != P.NumCopies; ++I)
    if (P.Copies[I].Site == E.R.Site) {
      Planned = true;
      if (P.Copies[I].Needed > Needed)
        Needed = P.Copies[I].Needed;
    }
  if (!Planned)
    Needed = drplan::Wait::Order;
  if (mayFollowOthers(E.R.Stream))
    Needed = drplan::Wait::Order;
  if (Needed == drplan::Wait::None)
    return 0;
  // The host waits for nothing that an asynchronous upload only follows.
  if (Needed == drplan::Wait::Order)
    return waitRecorded(E, Up && (E.R.Flags & CopyAsync));
  return waitStream(E);
}

static bool HasHostFunctions; ///< atomic

void noteHostFunction() {
  __atomic_store_n(&HasHostFunctions, true, __ATOMIC_RELEASE);
}

/// An asynchronous upload from pinned memory must be waited for; from pageable
/// memory it returns once CUDA has taken the bytes along, though work before it
/// waits for what the program does next. A function in the stream may even
/// write what is uploaded, which has been read by then. True if \p E is such an
/// upload now.
static bool isQueued(const Event &E, Pair &P) {
  constexpr unsigned Longest = 100000, MostHalved = 6; // microseconds
  const unsigned Before = __atomic_load_n(&P.Queued, __ATOMIC_RELAXED);
  const unsigned Halved = Before < MostHalved ? Before : MostHalved;
  const bool MayBeWritten =
      __atomic_load_n(&HasHostFunctions, __ATOMIC_ACQUIRE);
  const bool Is = !endsWithin(E, MayBeWritten ? 0 : Longest >> Halved);
  if (Is || Before)
    __atomic_store_n(&P.Queued, Is ? Halved + 1 : 0, __ATOMIC_RELAXED);
  return Is;
}

bool takesQueued(Event &E, Pair &P) {
  // Of one whose kind is left to CUDA the other side may be of a kind of memory
  // that is not known here.
  const auto Direction = E.R.Flags & CopyDirection;
  if (!(E.R.Flags & CopyAsync) || Direction == CopyD2H ||
      Direction == CopyD2D || !isQueued(E, P) || !standIn(E, SrcHost))
    return false;
  E.StandIns |= SrcIsRead;
  return true;
}

} // namespace echo::dr
