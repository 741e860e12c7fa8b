//===- Guard.cpp - Threads that use h beside the one that launches --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Guard.h. A held thread waits three times the longest gap between two
// works of the GPU that no held thread can have made longer.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Guard.h"
#include "runtime/dr/Clock.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Threads.h"
#include "runtime/dr/validate/Launchers.h"
#include "runtime/dr/validate/Libraries.h"
#include "runtime/dr/validate/Pages.h"

#include <sys/syscall.h>
#include <time.h>

namespace echo::dr {

constinit Guard TheGuard;

// Microseconds. Patience at first: how long the gaps are is not known yet.
static constexpr uint64_t LeastPatience = 10000, PatienceAtFirst = 500000,
                          MostPatience = 2000000, MostHeld = 6000000;
static constexpr uint32_t MostPassed = 16;

#define THREAD_LOCAL static __thread __attribute__((tls_model("initial-exec")))

/// A number that no other thread has or had.
static uint64_t threadHere() {
  THREAD_LOCAL uint64_t Here;
  static uint64_t Last; // atomic
  if (!Here)
    Here = __atomic_add_fetch(&Last, 1, __ATOMIC_RELAXED);
  return Here;
}

void pauseFor(uint64_t Nanoseconds) {
  const timespec Pause = {static_cast<time_t>(Nanoseconds / 1000000000),
                          static_cast<long>(Nanoseconds % 1000000000)};
  systemCall(SYS_nanosleep, reinterpret_cast<long>(&Pause), 0, 0, 0, 0);
}

/// Microseconds that threads were held, or launches late: a gap may have been
/// longer by so much.
uint64_t Guard::lost() const {
  return __atomic_load_n(&Held, __ATOMIC_RELAXED) +
         __atomic_load_n(&HeldBriefly, __ATOMIC_RELAXED) +
         __atomic_load_n(&Delayed, __ATOMIC_RELAXED);
}

/// Whether the calling thread ever launched.
THREAD_LOCAL bool Launches;

void Guard::workBegins() {
  Launches = true;
  noteLauncher();
  const uint64_t Me = threadHere(),
                 Was = __atomic_exchange_n(&Launcher, Me, __ATOMIC_RELAXED);
  if (Was && Was != Me)
    __atomic_store_n(&OnlyOne, false, __ATOMIC_RELAXED);
  __atomic_store_n(&ByOne, Was == Me ? ByOne + 1 : 0, __ATOMIC_RELAXED);
  const uint64_t Now = clockNs() / 1000, Lost = lost(), Gap = Now - LastWork,
                 Longer = Lost - LostBefore;
  const bool HeldHere =
      __atomic_exchange_n(&Disturbed, false, __ATOMIC_RELAXED);
  if (!FirstWork)
    FirstWork = Now;
  __atomic_store_n(&Working, Now - FirstWork, __ATOMIC_RELAXED);
  LastWork = Now;
  LostBefore = Lost;
  // What comes before the loop may take long.
  if (__atomic_add_fetch(&Works, 1, __ATOMIC_RELAXED) > 2 && Gap > Longer &&
      Gap - Longer > __atomic_load_n(&LongestGap, __ATOMIC_RELAXED))
    __atomic_store_n(&LongestGap, Gap - Longer, __ATOMIC_RELAXED);
  __atomic_store_n(&HandedOver, uint64_t(0), __ATOMIC_RELAXED);
  if (__atomic_exchange_n(&Asked, false, __ATOMIC_RELAXED)) {
    __atomic_add_fetch(&Gaps, 1, __ATOMIC_RELAXED);
    HeldLately = HeldHere;
  }
}

static uint32_t hashOf(uint64_t Number) {
  return Number * 0x9e3779b97f4a7c15u >> 32;
}

static unsigned sizeOf(unsigned Slot) {
  return hashOf(Watched.bytes(Slot)) % Guard::Sizes;
}

bool Guard::wants() {
  constexpr uint64_t AllAtFirst = 2;
  // In some gaps nobody is held: that is how long they are by themselves.
  if (!__atomic_exchange_n(&Asked, true, __ATOMIC_RELAXED))
    Turn = Gaps < AllAtFirst || !HeldLately || Numbers.below(2) != 0;
  return Turn && (mayHold() || mayHoldBriefly());
}

bool Guard::mayHold() const {
  return __atomic_load_n(&Held, __ATOMIC_RELAXED) < mayTake(MostHeld);
}

bool Guard::mayHoldBriefly() const {
  return __atomic_load_n(&HeldBriefly, __ATOMIC_RELAXED) <
         mayTake(MostHeld / 3);
}

/// A budget in microseconds: \p AtFirst, and a tenth of the time between the
/// first work and the last.
uint64_t Guard::mayTake(uint64_t AtFirst) const {
  return AtFirst + __atomic_load_n(&Working, __ATOMIC_RELAXED) / 10;
}

bool Guard::isLate(uint32_t What, bool Told) {
  constexpr uint64_t AllAtFirst = 2, MostDelayed = 4000000, Rarely = 32;
  constexpr uint32_t MostDelays = 160, MostOfOne = 20;
  const uint64_t Budget = Told ? MostDelayed : MostDelayed / 4;
  if (!__atomic_load_n(&Asked, __ATOMIC_RELAXED) ||
      __atomic_load_n(&Gaps, __ATOMIC_RELAXED) < AllAtFirst ||
      __atomic_load_n(&Delays, __ATOMIC_RELAXED) >= MostDelays ||
      __atomic_load_n(&Delayed, __ATOMIC_RELAXED) >= Budget)
    return false;
  uint32_t &Taken = Shares[What % NumShares];
  const bool Often = __atomic_load_n(&Taken, __ATOMIC_RELAXED) >= MostOfOne;
  if (Often ? below(Rarely) != 0 : below(Told ? 4 : 2) == 0)
    return false;
  __atomic_fetch_add(&Taken, Told, __ATOMIC_RELAXED);
  __atomic_fetch_add(&Delays, Told, __ATOMIC_RELAXED);
  return true;
}

void Guard::delay(uint64_t What) {
  constexpr uint64_t MostOnce = 400000;
  // Where the thread may have told another one of a buffer, it matters most.
  const uint64_t Where = __atomic_load_n(&HandedOver, __ATOMIC_RELAXED);
  const bool Told = Where != 0;
  if (!isLate(hashOf(What) + hashOf(Where), Told))
    return;
  // Half of them, or most, are longer than any gap.
  uint64_t Most = someMilliseconds() * 1000;
  if (below(Told ? 4 : 2) != 1)
    Most = 3 * __atomic_load_n(&LongestGap, __ATOMIC_RELAXED) / 2;
  if (Most > MostOnce)
    Most = MostOnce;
  __atomic_store_n(&Disturbed, true, __ATOMIC_RELAXED);
  __atomic_add_fetch(&Delaying, 1, __ATOMIC_RELAXED);
  const uint64_t Begin = clockNs() / 1000;
  uint64_t Now = Begin;
  for (; Now - Begin < Most; Now = clockNs() / 1000)
    pauseFor((Most - (Now - Begin)) * 1000);
  __atomic_sub_fetch(&Delaying, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&Delayed, Now - Begin, __ATOMIC_RELAXED);
}

/// Threads that launched long ago do so no more: main may make the context.
bool Guard::launchesAlone() const {
  constexpr uint32_t Enough = 16;
  const uint64_t One = __atomic_load_n(&Launcher, __ATOMIC_RELAXED);
  return !One || (One == threadHere() &&
                  (__atomic_load_n(&OnlyOne, __ATOMIC_RELAXED) ||
                   __atomic_load_n(&ByOne, __ATOMIC_RELAXED) >= Enough));
}

/// Where this thread was waited for last.
THREAD_LOCAL struct {
  uint64_t Gap;
  unsigned Slot;
} WaitedFor;

/// From 1 on.
uint64_t Guard::gap() const {
  return __atomic_load_n(&Works, __ATOMIC_RELAXED) + 1;
}

/// True if the calling thread is held no more before work begins.
bool Guard::mayGoOn() const {
  return launchesAlone() || WaitedFor.Gap == gap();
}

uint64_t Guard::patience() const {
  const uint64_t Longest = __atomic_load_n(&LongestGap, __ATOMIC_RELAXED);
  const uint64_t Wanted = Longest ? 3 * Longest : PatienceAtFirst;
  return Wanted < LeastPatience  ? LeastPatience
         : Wanted > MostPatience ? MostPatience
                                 : Wanted;
}

/// The calling thread waits while \p goesOn() says so, as long as patience
/// lasts. False if that ended it. \p Late: others may wait for it, not for who
/// is held at an access meanwhile, whose patience does not begin before.
template <class F> bool Guard::holdWhile(F goesOn, bool Late) {
  const uint64_t Begin = clockNs() / 1000, Most = patience();
  uint64_t Now = Begin, Since = Begin;
  if (Late)
    __atomic_add_fetch(&Delaying, 1, __ATOMIC_RELAXED);
  while (goesOn() && Now - Since < Most) {
    __atomic_store_n(&Disturbed, true, __ATOMIC_RELAXED);
    pauseFor(100000);
    Now = clockNs() / 1000;
    if (!Late && (__atomic_load_n(&Delaying, __ATOMIC_RELAXED) ||
                  (__atomic_load_n(&InTime, __ATOMIC_RELAXED) &&
                   Now - Begin < MostPatience)))
      Since = Now;
  }
  if (Late)
    __atomic_sub_fetch(&Delaying, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&Disturbed, true, __ATOMIC_RELAXED);
  __atomic_fetch_add(&Held, Now - Begin, __ATOMIC_RELAXED);
  return !goesOn();
}

/// Whether this thread was ever held at an access.
THREAD_LOCAL bool WasHeld;

/// This thread's holds that ended by patience, by sizeOf().
THREAD_LOCAL uint8_t OwnPassed[Guard::Sizes];

/// A thread that was waited for often, or new threads that do the same by the
/// code \p By. Half of the time that holds may take in all is left for others.
bool Guard::isKnown(unsigned Size, unsigned By) {
  constexpr uint64_t OneInMany = 16;
  constexpr uint8_t MostOwn = 4;
  if ((OwnPassed[Size] < MostOwn &&
       __atomic_load_n(&PassedBy[By], __ATOMIC_RELAXED) < MostPassed) ||
      (__atomic_load_n(&Passed[Size], __ATOMIC_RELAXED) < MostPassed &&
       __atomic_load_n(&Held, __ATOMIC_RELAXED) < mayTake(MostHeld) / 2))
    return false;
  return below(OneInMany) != 0;
}

/// A thread that was waited for often is held as long as one that launches does
/// not wait itself: where that one waits for others, it launches nothing
/// before.
template <class F> void Guard::holdBriefly(F mayBeUsed) {
  const uint64_t Begin = clockNs() / 1000, Most = patience(),
                 Longest = __atomic_load_n(&LongestGap, __ATOMIC_RELAXED);
  uint64_t Took = 0;
  while (mayHoldBriefly() && Took < Most && mayBeUsed() &&
         whatLaunchersDo() == Launching::GoOn) {
    if (Took > Longest)
      __atomic_store_n(&Disturbed, true, __ATOMIC_RELAXED);
    pauseFor(20000);
    Took = clockNs() / 1000 - Begin;
  }
  __atomic_fetch_add(&HeldBriefly, Took, __ATOMIC_RELAXED);
}

void Guard::hold(unsigned Slot, uintptr_t Code,
                 bool (*mayBeUsed)(unsigned, const void *)) {
  if (launchesAlone() || (WaitedFor.Gap == gap() && WaitedFor.Slot == Slot))
    return;
  const unsigned Size = sizeOf(Slot), By = hashOf(Code) % NumCodes;
  const void *Base = Watched.base(Slot);
  if (!mayHold() || isKnown(Size, By)) {
    if (!Launches)
      holdBriefly([=] { return mayBeUsed(Slot, Base); });
    return;
  }
  WasHeld = true;
  if (holdWhile([=] { return mayBeUsed(Slot, Base); }, Launches))
    return;
  __atomic_fetch_add(&Passed[Size], 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&PassedBy[By], 1, __ATOMIC_RELAXED);
  OwnPassed[Size] += OwnPassed[Size] != UINT8_MAX;
  WaitedFor = {gap(), Slot};
}

void Guard::holdAtLock() {
  constexpr uint32_t MostAtLocks = 24;
  THREAD_LOCAL uint32_t Locks;
  if (__builtin_expect(!WasHeld, 1) || Launches || isInside() ||
      !Watched.anyCloses() || !mayHold())
    return;
  if (++Locks % 2 == 0 ||
      __atomic_fetch_add(&AtLocks, 1, __ATOMIC_RELAXED) >= MostAtLocks)
    return;
  const uint64_t Here = gap();
  holdWhile(
      [=, this] {
        return gap() == Here && whatLaunchersDo() != Launching::Wait;
      },
      /*Late=*/true);
}

void Guard::tries(const void *Lock) {
  const auto At = reinterpret_cast<uintptr_t>(Lock);
  uintptr_t &Slot = Tried[hashOf(At) % MostTried];
  if (__atomic_load_n(&Slot, __ATOMIC_RELAXED) != At)
    __atomic_store_n(&Slot, At, __ATOMIC_RELAXED);
}

void Guard::keep(const void *Lock) {
  constexpr uint32_t Often = 160, MostKept = 640;
  constexpr uint64_t Rarely = 32, Millisecond = 1000000; // nanoseconds
  const auto At = reinterpret_cast<uintptr_t>(Lock);
  if (__builtin_expect(__atomic_load_n(&Tried[hashOf(At) % MostTried],
                                       __ATOMIC_RELAXED) != At,
                       1) ||
      isInside() ||
      __atomic_load_n(&Launcher, __ATOMIC_RELAXED) == threadHere())
    return;
  const uint32_t Before = __atomic_load_n(&Kept, __ATOMIC_RELAXED);
  if (Before >= MostKept || below(Before < Often ? 2 : Rarely))
    return;
  __atomic_fetch_add(&Kept, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&Disturbed, true, __ATOMIC_RELAXED);
  pauseFor((1 + below(3)) * Millisecond);
}

/// The calling thread comes late. Half of the times are longer than whoever
/// launches takes from one look at it to the next, as far as is known, unless
/// all are to be \p Short.
void Guard::comeLate(uint32_t &Times, uint64_t &Microseconds, bool Short) {
  constexpr uint64_t Most = 400000;
  const uint64_t Long = patience() < Most ? patience() : Most,
                 Time = !Short && below(2) ? Long : someMilliseconds() * 1000;
  __atomic_fetch_add(&Times, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&Microseconds, Time, __ATOMIC_RELAXED);
  __atomic_store_n(&Disturbed, true, __ATOMIC_RELAXED);
  pauseFor(Time * 1000);
}

void Guard::linger(const void *Code) {
  constexpr uint32_t Often = 64, MostLingers = 512;
  constexpr uint64_t AtFirst = 4, Rarely = 32;
  // All children together get not much more than the process has.
  const uint64_t MostLingered =
      mayTake(3000000) /
      (IsChild ? __atomic_load_n(&Children, __ATOMIC_RELAXED) + 1 : 1);
  const uint64_t Last = __atomic_load_n(&Launcher, __ATOMIC_RELAXED);
  if ((IsChild ? Launches : !Last || Last == threadHere()) || isInside())
    return;
  const Inside Own; // looking for Code takes a lock
  const uint32_t Before = __atomic_load_n(&Lingers, __ATOMIC_RELAXED);
  const uint64_t Took = __atomic_load_n(&Lingered, __ATOMIC_RELAXED);
  if (Before >= MostLingers || below(Before < Often ? AtFirst : Rarely) ||
      Took >= MostLingered || isCudasOwn(Code))
    return;
  // A child has less time: a few long ones may all fall where nobody looks.
  comeLate(Lingers, Lingered, IsChild && Took >= MostLingered / 4 * 3);
}

bool Guard::mayLingerHere() const {
  constexpr uint32_t MostLingers = 256;
  return __atomic_load_n(&LingersHere, __ATOMIC_RELAXED) < MostLingers &&
         __atomic_load_n(&LingeredHere, __ATOMIC_RELAXED) < mayTake(2000000);
}

void Guard::lingerHere() {
  if (__atomic_load_n(&Launcher, __ATOMIC_RELAXED) == threadHere() ||
      isInside() || !mayLingerHere())
    return;
  comeLate(LingersHere, LingeredHere, /*Short=*/false);
}

void Guard::forked() {
  IsChild = true;
  Launches = false;
  forgetLaunchers();
}

bool Guard::minds() const {
  return __builtin_expect(__atomic_load_n(&AtWork, __ATOMIC_RELAXED), 0) &&
         mayCallCuda() && !isInside();
}

void Guard::waitsInTime(bool Begins) {
  if (Launches)
    __atomic_fetch_add(&InTime, Begins ? 1u : -1u, __ATOMIC_RELAXED);
}

void Guard::handOver(const void *Code) {
  constexpr uint32_t MostAgain = 10000; // an access after each costs a fault
  if (__builtin_expect(!Watched.anyCloses(), 1) || isInside())
    return;
  if (Launches)
    __atomic_fetch_or(&HandedOver,
                      uint64_t(1)
                          << (hashOf(reinterpret_cast<uintptr_t>(Code)) % 64),
                      __ATOMIC_RELAXED);
  if (Watched.anyPassed() && mayGoOn() &&
      __atomic_fetch_add(&Again, 1, __ATOMIC_RELAXED) < MostAgain)
    Watched.guardAgain();
}

} // namespace echo::dr
