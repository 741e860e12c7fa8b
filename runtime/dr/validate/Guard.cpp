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
#include "runtime/dr/Threads.h"
#include "runtime/dr/validate/IoUse.h"

#include <semaphore.h>
#include <sys/syscall.h>
#include <time.h>

namespace echo::dr {

constinit Guard TheGuard;

// Microseconds.
static constexpr uint64_t LeastPatience = 10000, MostPatience = 2000000,
                          MostHeld = 6000000;
static constexpr uint32_t MostPassed = 16;

/// A number that no other thread has while this one lives.
static uintptr_t threadHere() { return reinterpret_cast<uintptr_t>(&Depth); }

void Guard::workBegins() {
  const uintptr_t Me = threadHere(),
                  Was = __atomic_load_n(&Launcher, __ATOMIC_RELAXED);
  if (Was && Was != Me)
    __atomic_store_n(&SeveralLaunch, true, __ATOMIC_RELAXED);
  __atomic_store_n(&Launcher, Me, __ATOMIC_RELAXED);
  const uint64_t Now = clockNs() / 1000, Gap = Now - LastWork;
  const bool Longer = __atomic_exchange_n(&Disturbed, false, __ATOMIC_RELAXED);
  LastWork = Now;
  // What comes before the loop may take long.
  if (++Works > 2 && !Longer &&
      Gap > __atomic_load_n(&LongestGap, __ATOMIC_RELAXED))
    __atomic_store_n(&LongestGap, Gap, __ATOMIC_RELAXED);
  if (Asked)
    ++Gaps;
  Asked = false;
}

bool Guard::wants() {
  Asked = true;
  // In other gaps nobody is held: that is how long they are by themselves.
  // Which ones that are follows no rhythm that a program may have.
  constexpr uint64_t Learning = 4, OneInTwo = 128;
  const uint64_t Bits = (Gaps * 0x9e3779b97f4a7c15u) >> 60;
  const bool Turn = Gaps < OneInTwo ? Bits % 2 != 0 : Bits == 0;
  return Gaps >= Learning && Turn &&
         __atomic_load_n(&Passed, __ATOMIC_RELAXED) < MostPassed &&
         __atomic_load_n(&Held, __ATOMIC_RELAXED) < MostHeld;
}

bool Guard::launchesAlone() const {
  const uintptr_t One = __atomic_load_n(&Launcher, __ATOMIC_RELAXED);
  return !One || (One == threadHere() &&
                  !__atomic_load_n(&SeveralLaunch, __ATOMIC_RELAXED));
}

uint64_t Guard::patience() const {
  const uint64_t Wanted = 3 * __atomic_load_n(&LongestGap, __ATOMIC_RELAXED);
  return Wanted < LeastPatience  ? LeastPatience
         : Wanted > MostPatience ? MostPatience
                                 : Wanted;
}

void Guard::hold(unsigned Slot, bool (*mayBeUsed)(unsigned, const void *)) {
  if (launchesAlone())
    return;
  const void *Base = Watched.base(Slot);
  const uint64_t Begin = clockNs() / 1000, Most = patience();
  uint64_t Now = Begin;
  const timespec Pause = {0, 100000};
  while (mayBeUsed(Slot, Base) && Now - Begin < Most) {
    __atomic_store_n(&Disturbed, true, __ATOMIC_RELAXED);
    systemCall(SYS_nanosleep, reinterpret_cast<long>(&Pause), 0, 0, 0, 0);
    Now = clockNs() / 1000;
  }
  __atomic_store_n(&Disturbed, true, __ATOMIC_RELAXED);
  __atomic_fetch_add(&Held, Now - Begin, __ATOMIC_RELAXED);
  if (mayBeUsed(Slot, Base))
    __atomic_fetch_add(&Passed, 1, __ATOMIC_RELAXED);
}

void Guard::handOver() {
  constexpr uint32_t MostAgain = 10000; // an access after each costs a fault
  if (__builtin_expect(Watched.anyPassed(), 0) && !isInside() &&
      launchesAlone() &&
      __atomic_fetch_add(&Again, 1, __ATOMIC_RELAXED) < MostAgain)
    Watched.guardAgain();
}

} // namespace echo::dr

using namespace echo::dr;

// Where a thread hands over to another one. What it has opened closes again,
// before the other one can go on.

REAL(int, pthread_mutex_unlock, (pthread_mutex_t *))

INTERPOSED int pthread_mutex_unlock(pthread_mutex_t *M) noexcept {
  TheGuard.handOver();
  return real(&Real_pthread_mutex_unlock, "pthread_mutex_unlock")(M);
}

REAL(int, sem_post, (sem_t *))

INTERPOSED int sem_post(sem_t *S) noexcept {
  TheGuard.handOver();
  return real(&Real_sem_post, "sem_post")(S);
}

REAL(int, pthread_create,
     (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))

INTERPOSED int pthread_create(pthread_t *T, const pthread_attr_t *Attributes,
                              void *(*Runs)(void *), void *With) noexcept {
  TheGuard.handOver();
  return real(&Real_pthread_create, "pthread_create")(T, Attributes, Runs,
                                                      With);
}
