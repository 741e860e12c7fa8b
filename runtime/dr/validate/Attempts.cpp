//===- Attempts.cpp - Asking without waiting ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's functions by which a thread asks whether something is so
// without waiting until it is: with a time limit, or not at all. What a thread
// that calls CUDA does next then depends on how quick others are. While the GPU
// works no run shows what it does otherwise: no pair passes. In a gap, whoever
// is held meanwhile stays held (Guard.h). Attempts to take a lock are
// Meetings.cpp's: whoever has it keeps it longer. The calls do what they do
// without Echo.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Bypass.h"
#include "runtime/dr/validate/Guard.h"
#include "runtime/dr/validate/IoUse.h"
#include "runtime/dr/validate/Libraries.h"

#include <aio.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>

namespace echo::dr {

void attempts(const void *By) {
  if (!isCudasOwn(By))
    dropOut(nullptr, Reason::Attempts);
}

void attemptsOn(int Fd, int Flags, const void *By) {
  struct stat S;
  const bool Waits =
      !(Flags & MSG_DONTWAIT) &&
      !(systemCall(SYS_fcntl, Fd, F_GETFL, 0, 0, 0) & O_NONBLOCK);
  if (Waits ||
      (systemCall(SYS_fstat, Fd, reinterpret_cast<long>(&S), 0, 0, 0) == 0 &&
       S_ISREG(S.st_mode)))
    return;
  attempts(By);
}

namespace {
/// A wait that ends by itself.
class LimitedWait {
public:
  explicit LimitedWait(const void *By) {
    if (TheGuard.minds())
      attempts(By);
    TheGuard.waitsInTime(/*Begins=*/true);
  }
  ~LimitedWait() { TheGuard.waitsInTime(/*Begins=*/false); }
  LimitedWait(const LimitedWait &) = delete;
  LimitedWait &operator=(const LimitedWait &) = delete;
};
} // namespace

} // namespace echo::dr

using namespace echo::dr;

#define WAITS_IN_TIME(name, params, args, ...)                                 \
  REAL(int, name, params)                                                      \
  INTERPOSED int name params __VA_ARGS__ {                                     \
    if (__builtin_expect(Watched.used() == 0, 1))                              \
      return real(&Real_##name, #name) args;                                   \
    const LimitedWait Here(__builtin_return_address(0));                       \
    return real(&Real_##name, #name) args;                                     \
  }
#define UNTIL(name, type, ...)                                                 \
  WAITS_IN_TIME(name, (type * L, const timespec *Until), (L, Until),           \
                __VA_ARGS__)
#define CLOCK_UNTIL(name, type, ...)                                           \
  WAITS_IN_TIME(name, (type * L, clockid_t Clock, const timespec *Until),      \
                (L, Clock, Until), __VA_ARGS__)
UNTIL(pthread_mutex_timedlock, pthread_mutex_t, noexcept)
UNTIL(pthread_rwlock_timedrdlock, pthread_rwlock_t, noexcept)
UNTIL(pthread_rwlock_timedwrlock, pthread_rwlock_t, noexcept)
UNTIL(sem_timedwait, sem_t)
UNTIL(mtx_timedlock, mtx_t)
CLOCK_UNTIL(pthread_mutex_clocklock, pthread_mutex_t, noexcept)
CLOCK_UNTIL(pthread_rwlock_clockrdlock, pthread_rwlock_t, noexcept)
CLOCK_UNTIL(pthread_rwlock_clockwrlock, pthread_rwlock_t, noexcept)
CLOCK_UNTIL(sem_clockwait, sem_t)
WAITS_IN_TIME(pthread_cond_timedwait,
              (pthread_cond_t * C, pthread_mutex_t *L, const timespec *Until),
              (C, L, Until))
WAITS_IN_TIME(pthread_cond_clockwait,
              (pthread_cond_t * C, pthread_mutex_t *L, clockid_t Clock,
               const timespec *Until),
              (C, L, Clock, Until))
WAITS_IN_TIME(cnd_timedwait, (cnd_t * C, mtx_t *L, const timespec *Until),
              (C, L, Until))
WAITS_IN_TIME(pthread_timedjoin_np,
              (pthread_t T, void **Result, const timespec *Until),
              (T, Result, Until))
WAITS_IN_TIME(pthread_clockjoin_np,
              (pthread_t T, void **Result, clockid_t Clock,
               const timespec *Until),
              (T, Result, Clock, Until))
WAITS_IN_TIME(semtimedop, (int Id, sembuf *P, size_t N, const timespec *Most),
              (Id, P, N, Most), noexcept)

#define ATTEMPTS(result, name, params, args, does, ...)                        \
  REAL(result, name, params)                                                   \
  INTERPOSED result name params __VA_ARGS__ {                                  \
    if (TheGuard.minds() && (does))                                            \
      attempts(__builtin_return_address(0));                                   \
    return real(&Real_##name, #name) args;                                     \
  }
ATTEMPTS(int, pthread_tryjoin_np, (pthread_t T, void **Result), (T, Result),
         true, noexcept)
ATTEMPTS(int, ftrylockfile, (FILE * F), (F), true, noexcept)
ATTEMPTS(int, flock, (int Fd, int How), (Fd, How), How &LOCK_NB, noexcept)
ATTEMPTS(int, lockf, (int Fd, int How, off_t Bytes), (Fd, How, Bytes),
         How == F_TLOCK || How == F_TEST)
ATTEMPTS(int, lockf64, (int Fd, int How, off64_t Bytes), (Fd, How, Bytes),
         How == F_TLOCK || How == F_TEST)
ATTEMPTS(int, semop, (int Id, sembuf *P, size_t N), (Id, P, N),
         P && N && P->sem_flg & IPC_NOWAIT, noexcept)
ATTEMPTS(int, aio_error, (const aiocb *A), (A), true, noexcept)
ATTEMPTS(int, aio_error64, (const aiocb64 *A), (A), true, noexcept)
