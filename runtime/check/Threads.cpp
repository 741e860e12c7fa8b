//===- Threads.cpp - Order between the host's threads ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's functions by which one thread learns what another one did:
// starts and joins, mutexes, conditions, semaphores, barriers. Each is the
// library's own, with the order noted around it. Threads that are started while
// the CPU device hides its own work see nothing of who starts them.
//
//===----------------------------------------------------------------------===//
#include "runtime/check/Lock.h"
#include "runtime/check/Pairs.h"

#include <dlfcn.h>
#include <map>
#include <pthread.h>
#include <semaphore.h>

using namespace echo::check;

/// The C library's function of the name that is called.
template <typename Fn> static Fn *next(Fn *&Known, const char *Name) {
  if (!Known)
    Known = reinterpret_cast<Fn *>(dlsym(RTLD_NEXT, Name));
  return Known;
}
#define NEXT(Name)                                                             \
  static decltype(Name) *Real;                                                 \
  next(Real, #Name)

namespace {
struct Start {
  void *(*Main)(void *);
  void *Data;
  Agent *Mine;
};
} // namespace

static std::map<pthread_t, Agent *> &started() {
  static auto *Map = new std::map<pthread_t, Agent *>;
  return *Map;
}

static void *begin(void *Data) {
  Start S = *static_cast<Start *>(Data);
  delete static_cast<Start *>(Data);
  become(S.Mine);
  return S.Main(S.Data);
}

/// Code of the program itself starts its own threads; a library's threads work
/// for whoever calls the library.
static bool isLibrarys(void *(*Main)(void *)) {
  Dl_info Info;
  return dladdr(reinterpret_cast<void *>(Main), &Info) && Info.dli_fname &&
         std::string(Info.dli_fname).find("omp") != std::string::npos;
}

extern "C" {

int pthread_create(pthread_t *Thread, const pthread_attr_t *Attributes,
                   void *(*Main)(void *), void *Data) {
  NEXT(pthread_create);
  auto *S = new Start{Main, Data, nullptr};
  Agent *Mine = nullptr;
  {
    Entry Lock;
    Agent &Parent = self();
    Mine = makeAgent(Parent.Hidden ? nullptr : &Parent);
    if (!Parent.Hidden) {
      Clock Told;
      release(Parent, Told);
    }
    if (isLibrarys(Main))
      makeHelper(*Mine);
  }
  S->Mine = Mine;
  const int Error = Real(Thread, Attributes, begin, S);
  if (Error) {
    delete S;
    return Error;
  }
  Entry Lock;
  started()[*Thread] = Mine;
  return 0;
}

int pthread_join(pthread_t Thread, void **Result) {
  NEXT(pthread_join);
  const int Error = Real(Thread, Result);
  Entry Lock;
  auto It = started().find(Thread);
  if (!Lock || Error || It == started().end())
    return Error;
  if (!self().Hidden)
    acquire(self(), It->second->Seen);
  started().erase(It);
  return Error;
}

int pthread_mutex_lock(pthread_mutex_t *M) {
  NEXT(pthread_mutex_lock);
  const int Error = Real(M);
  echo_check_see(M);
  return Error;
}
int pthread_mutex_trylock(pthread_mutex_t *M) {
  NEXT(pthread_mutex_trylock);
  const int Error = Real(M);
  if (!Error)
    echo_check_see(M);
  return Error;
}
int pthread_mutex_unlock(pthread_mutex_t *M) {
  NEXT(pthread_mutex_unlock);
  echo_check_publish(M);
  return Real(M);
}

int pthread_cond_wait(pthread_cond_t *C, pthread_mutex_t *M) {
  NEXT(pthread_cond_wait);
  echo_check_publish(M);
  const int Error = Real(C, M);
  echo_check_see(M);
  return Error;
}
int pthread_cond_timedwait(pthread_cond_t *C, pthread_mutex_t *M,
                           const timespec *Until) {
  NEXT(pthread_cond_timedwait);
  echo_check_publish(M);
  const int Error = Real(C, M, Until);
  echo_check_see(M);
  return Error;
}
int pthread_cond_clockwait(pthread_cond_t *C, pthread_mutex_t *M,
                           clockid_t Clock, const timespec *Until) {
  NEXT(pthread_cond_clockwait);
  echo_check_publish(M);
  const int Error = Real(C, M, Clock, Until);
  echo_check_see(M);
  return Error;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *L) {
  NEXT(pthread_rwlock_rdlock);
  const int Error = Real(L);
  echo_check_see(L);
  return Error;
}
int pthread_rwlock_wrlock(pthread_rwlock_t *L) {
  NEXT(pthread_rwlock_wrlock);
  const int Error = Real(L);
  echo_check_see(L);
  return Error;
}
int pthread_rwlock_unlock(pthread_rwlock_t *L) {
  NEXT(pthread_rwlock_unlock);
  echo_check_publish(L);
  return Real(L);
}

int pthread_spin_lock(pthread_spinlock_t *L) {
  NEXT(pthread_spin_lock);
  const int Error = Real(L);
  echo_check_see(const_cast<const int *>(L));
  return Error;
}
int pthread_spin_unlock(pthread_spinlock_t *L) {
  NEXT(pthread_spin_unlock);
  echo_check_publish(const_cast<const int *>(L));
  return Real(L);
}

int pthread_barrier_wait(pthread_barrier_t *B) {
  NEXT(pthread_barrier_wait);
  echo_check_publish(B);
  const int Result = Real(B);
  echo_check_see(B);
  return Result;
}

int sem_post(sem_t *S) {
  NEXT(sem_post);
  echo_check_publish(S);
  return Real(S);
}
int sem_wait(sem_t *S) {
  NEXT(sem_wait);
  const int Error = Real(S);
  echo_check_see(S);
  return Error;
}
int sem_trywait(sem_t *S) {
  NEXT(sem_trywait);
  const int Error = Real(S);
  if (!Error)
    echo_check_see(S);
  return Error;
}

} // extern "C"
