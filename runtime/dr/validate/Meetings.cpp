//===- Meetings.cpp - Where threads take locks and hand over --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's functions by which a thread takes a lock, or hands over to
// another thread. Guard.h decides what follows; none of them does less or other
// than without Echo. A wait with a time limit and an attempt are not made late.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/validate/Guard.h"
#include "runtime/dr/validate/IoUse.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <threads.h>

using namespace echo::dr;

static const void *addressOf(const volatile void *Lock) {
  return const_cast<const void *>(Lock);
}

/// An exported function of a lock that does \p first where that \p matters.
/// Elsewhere, and called by \p Caller, it is a jump: nothing is taken as often
/// as CUDA's own locks are.
#define OF_LOCK(name, type, matters, first, ...)                               \
  REAL(int, name, (type *))                                                    \
  __attribute__((noinline)) static int late_##name(                            \
      type *L, [[maybe_unused]] const void *Caller) {                          \
    if (matters) {                                                             \
      first;                                                                   \
    }                                                                          \
    return real(&Real_##name, #name)(L);                                       \
  }                                                                            \
  INTERPOSED int name(type *L) __VA_ARGS__ {                                   \
    auto *Next = __atomic_load_n(&Real_##name, __ATOMIC_RELAXED);              \
    if (__builtin_expect(!Next || matters, 0))                                 \
      return late_##name(L, __builtin_return_address(0));                      \
    return Next(L);                                                            \
  }

// Where a thread that is held would keep others from going on.
#define LOCKS(name, type, ...)                                                 \
  OF_LOCK(name, type, Watched.anyCloses(), TheGuard.holdAtLock(), __VA_ARGS__)
LOCKS(pthread_mutex_lock, pthread_mutex_t, noexcept)
LOCKS(pthread_rwlock_rdlock, pthread_rwlock_t, noexcept)
LOCKS(pthread_rwlock_wrlock, pthread_rwlock_t, noexcept)
LOCKS(mtx_lock, mtx_t)

// Where a thread hands over to another one. What it has opened closes again,
// before the other one can go on.
#define HANDS_OVER(name, params, args, ...)                                    \
  REAL(int, name, params)                                                      \
  INTERPOSED int name params __VA_ARGS__ {                                     \
    if (__builtin_expect(Watched.anyCloses(), 0))                              \
      TheGuard.handOver(__builtin_return_address(0));                          \
    return real(&Real_##name, #name) args;                                     \
  }

/// Numbers below 1 name groups, or all processes.
REAL(int, kill, (pid_t, int))
INTERPOSED int kill(pid_t Of, int Signal) noexcept {
  if (__builtin_expect(Watched.anyCloses(), 0))
    TheGuard.handOver(__builtin_return_address(0));
  if (Of <= 0)
    variableAsked(GroupQuestion, __builtin_return_address(0));
  return real(&Real_kill, "kill")(Of, Signal);
}

#define UNLOCKS(name, type, ...)                                               \
  OF_LOCK(name, type, Watched.used() != 0, TheGuard.keep(addressOf(L));        \
          TheGuard.linger(Caller); TheGuard.handOver(Caller), __VA_ARGS__)
UNLOCKS(pthread_mutex_unlock, pthread_mutex_t, noexcept)
UNLOCKS(pthread_rwlock_unlock, pthread_rwlock_t, noexcept)
UNLOCKS(pthread_spin_unlock, pthread_spinlock_t, noexcept)
UNLOCKS(mtx_unlock, mtx_t)
UNLOCKS(sem_post, sem_t, noexcept)

// What a thread does where a lock is taken may be another thing than where it
// is free.
#define TRIES(name, type, ...)                                                 \
  OF_LOCK(name, type, Watched.used() != 0, TheGuard.tries(addressOf(L)),       \
          __VA_ARGS__)
TRIES(pthread_mutex_trylock, pthread_mutex_t, noexcept)
TRIES(pthread_rwlock_tryrdlock, pthread_rwlock_t, noexcept)
TRIES(pthread_rwlock_trywrlock, pthread_rwlock_t, noexcept)
TRIES(pthread_spin_trylock, pthread_spinlock_t, noexcept)
TRIES(mtx_trylock, mtx_t)
TRIES(sem_trywait, sem_t, noexcept)

/// A thread that was woken may go on late.
static int wokenUp(int Result, const void *Code) {
  if (__builtin_expect(Watched.anyCloses(), 0)) {
    const int Error = errno;
    TheGuard.linger(Code);
    errno = Error;
  }
  return Result;
}

REAL(int, pthread_barrier_wait, (pthread_barrier_t *))
INTERPOSED int pthread_barrier_wait(pthread_barrier_t *B) noexcept {
  const void *Code = __builtin_return_address(0);
  if (__builtin_expect(Watched.anyCloses(), 0))
    TheGuard.handOver(Code);
  return wokenUp(real(&Real_pthread_barrier_wait, "pthread_barrier_wait")(B),
                 Code);
}

REAL(int, sem_wait, (sem_t *))
INTERPOSED int sem_wait(sem_t *S) {
  return wokenUp(real(&Real_sem_wait, "sem_wait")(S),
                 __builtin_return_address(0));
}

namespace {
/// What a new thread runs, which may come late. So do threads of the C
/// library's and of C's interface.
struct NewThread {
  void *(*Runs)(void *);
  int (*RunsInC)(void *); ///< or this
  void *With;
  const void *Code; ///< that makes it
  bool Used;        ///< atomic
};
} // namespace
static NewThread NewThreads[64];

/// In the new thread: what it is to run now.
static NewThread begin(void *At) {
  auto &Place = *static_cast<NewThread *>(At);
  const NewThread Mine = Place;
  __atomic_store_n(&Place.Used, false, __ATOMIC_RELEASE);
  TheGuard.linger(Mine.Code);
  return Mine;
}

static void *beginThread(void *At) {
  const NewThread Mine = begin(At);
  return Mine.Runs(Mine.With);
}

static int beginThreadInC(void *At) {
  const NewThread Mine = begin(At);
  return Mine.RunsInC(Mine.With);
}

/// A place for \p Wanted; null where the thread is made as it is.
static NewThread *placeFor(NewThread Wanted) {
  if (__builtin_expect(!Watched.anyCloses() || isInside(), 1))
    return nullptr;
  TheGuard.handOver(Wanted.Code);
  for (NewThread &Each : NewThreads)
    if (!__atomic_exchange_n(&Each.Used, true, __ATOMIC_ACQUIRE)) {
      Wanted.Used = true;
      Each = Wanted;
      return &Each;
    }
  return nullptr;
}

/// The result of making the thread of \p Place, whose place is free if it
/// \p Failed.
static int made(NewThread *Place, int Result, bool Failed) {
  if (Failed)
    __atomic_store_n(&Place->Used, false, __ATOMIC_RELEASE);
  return Result;
}

REAL(int, pthread_create,
     (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
INTERPOSED int pthread_create(pthread_t *T, const pthread_attr_t *Attributes,
                              void *(*Runs)(void *), void *With) noexcept {
  auto *Create = real(&Real_pthread_create, "pthread_create");
  NewThread *Place =
      placeFor({Runs, nullptr, With, __builtin_return_address(0), false});
  if (!Place)
    return Create(T, Attributes, Runs, With);
  const int Error = Create(T, Attributes, beginThread, Place);
  return made(Place, Error, Error != 0);
}

REAL(int, thrd_create, (thrd_t *, thrd_start_t, void *))
INTERPOSED int thrd_create(thrd_t *T, thrd_start_t Runs, void *With) {
  auto *Create = real(&Real_thrd_create, "thrd_create");
  NewThread *Place =
      placeFor({nullptr, Runs, With, __builtin_return_address(0), false});
  if (!Place)
    return Create(T, Runs, With);
  const int Result = Create(T, beginThreadInC, Place);
  return made(Place, Result, Result != thrd_success);
}
HANDS_OVER(pthread_kill, (pthread_t T, int Number), (T, Number), noexcept)
HANDS_OVER(pthread_sigqueue, (pthread_t T, int Number, const sigval With),
           (T, Number, With), noexcept)
HANDS_OVER(tgkill, (pid_t Group, pid_t T, int Number), (Group, T, Number))
HANDS_OVER(sigqueue, (pid_t Process, int Number, const sigval With),
           (Process, Number, With), noexcept)
