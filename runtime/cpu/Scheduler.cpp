//===- Scheduler.cpp - Policies, workers and waits ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the ready list and runs it. See Scheduler.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Faults.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Streams.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <pthread.h>
#include <system_error>
#include <thread>

namespace echo::cpu {

uint64_t nowNs() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return uint64_t(T.tv_sec) * 1000000000u + T.tv_nsec;
}

/// Tells the core that this thread only waits.
static void pauseCpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

Scheduler &Scheduler::get() {
  static Scheduler *S = new Scheduler;
  return *S;
}

static uint64_t hashOf(uint64_t Sequence, uint64_t Salt) {
  uint64_t X = config().Seed * 0x9e3779b97f4a7c15u + Sequence * 8 + Salt;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
  return X ^ (X >> 31);
}

/// How long the random policy keeps an operation back: often not at all,
/// sometimes for longer than any host code between two calls.
static uint64_t randomDelay(const Op &O) {
  uint64_t H = hashOf(O.Sequence, 1);
  if (H % 8 < 4)
    return 0;
  return (H >> 8) % (H % 8 == 7 ? 2000000 : 200000);
}

bool Scheduler::eligible(const Op &O, uint64_t Now) const {
  switch (config().Sched) {
  case Policy::Eager:
    return true;
  case Policy::Lazy:
    return O.Demanded;
  case Policy::Random:
    return O.NotBefore <= Now;
  }
  return true;
}

/// Wakes as many workers as \p O can use.
void Scheduler::wakeFor(const Op &O) {
  for (unsigned N = std::min(O.width(), Sleeping); N; --N)
    WorkCv.notify_one();
}

void Scheduler::makeReady(Op *O) {
  O->State = Op::Phase::Ready;
  O->Listed = true;
  if (config().Sched == Policy::Random && !O->Demanded)
    O->NotBefore = nowNs() + randomDelay(*O);
  if (underTsan()) {
    makeReadyInCrew(O);
    return;
  }
  if (O->Kind == OpKind::HostFunc) {
    HostReady.push_back(O);
    HostCv.notify_one();
    return;
  }
  Ready.push_back(O);
  if (config().Sched != Policy::Lazy || O->Demanded)
    wakeFor(*O);
}

void Scheduler::enqueue(Lock &, Op *O) {
  if (!Started && O->Kind != OpKind::Marker && !underTsan()) {
    Started = true;
    startThreads();
  }
  if (O->NumDeps)
    return;
  if (O->Kind == OpKind::Marker)
    complete(O);
  else
    makeReady(O);
}

/// What is done no longer keeps its stream busy. \p Next gets what may run.
void Scheduler::finishOne(Op *O, std::vector<Op *> &Next) {
  orderDone(*O);
  Stream &S = *O->Owner;
  if (O->WantsTime)
    O->FinishTime = nowNs();
  O->State = Op::Phase::Done;
  O->DoneFlag.store(true, std::memory_order_release);
  for (Op *D : O->Dependents)
    if (--D->NumDeps == 0)
      Next.push_back(D);
  O->Dependents.clear();
  for (Op *P : O->Preds)
    P->release();
  O->Preds.clear();
  if (Op *A = std::exchange(O->After, nullptr))
    A->release();
  managedWorkDone(*O);
  S.Pending.fetch_sub(1, std::memory_order_release);
  if (S.Blocking)
    PendingBlocking.fetch_sub(1, std::memory_order_release);
  Pending.fetch_sub(1, std::memory_order_release);
  if (S.Tail.get() == O)
    streamQuiet(S);
}

void Scheduler::complete(Op *O) {
  std::vector<Op *> Next{O};
  while (!Next.empty()) {
    Op *Current = Next.back();
    Next.pop_back();
    if (Current->Kind == OpKind::Marker || Current == O) {
      finishOne(Current, Next);
      Current->release();
    } else {
      makeReady(Current);
    }
  }
  if (Waiters)
    DoneCv.notify_all();
}

/// Picks work that may run now: in any stream, or only in \p Only. \p Earliest
/// gets the time when work that is kept back may run.
Op *Scheduler::pick(const Stream *Only, bool Any, uint64_t &Earliest) {
  const Config &C = config();
  if (Running >= C.Workers)
    return nullptr;
  uint64_t Now = C.Sched == Policy::Random ? nowNs() : 0;
  Op *Best = nullptr;
  uint64_t BestRank = 0;
  for (Op *O : Ready) {
    if (!Any && O->Owner != Only)
      continue;
    if (O->Exclusive && ExclusiveRunning && !O->Users)
      continue;
    if (O->Users >= C.Workers || (O->Kind == OpKind::Grid && O->exhausted()))
      continue;
    if (!eligible(*O, Now)) {
      if (C.Sched == Policy::Random)
        Earliest = std::min(Earliest, O->NotBefore);
      continue;
    }
    if (C.Sched == Policy::Eager)
      return O;
    // Lazy: the newest first, so that order that nobody asked for shows.
    uint64_t Rank =
        C.Sched == Policy::Lazy ? O->Sequence : hashOf(O->Sequence, 2);
    if (!Best || Rank > BestRank) {
      Best = O;
      BestRank = Rank;
    }
  }
  return Best;
}

/// Runs \p O, or its share of it, without the lock.
void Scheduler::runPicked(Lock &L, Op *O) {
  if (O->Exclusive && !O->Users)
    ++ExclusiveRunning;
  ++O->Users;
  bool OnWorker = O->Kind != OpKind::HostFunc;
  Running += OnWorker;
  auto unlist = [&] {
    if (!O->Listed)
      return;
    O->Listed = false;
    auto &List = O->Kind == OpKind::HostFunc ? HostReady : Ready;
    List.erase(std::find(List.begin(), List.end(), O));
  };
  if (O->Kind != OpKind::Grid)
    unlist();
  L.Guard.unlock();
  {
    ShowSync Show;
    O->run();
  }
  L.Guard.lock();
  unlist();
  // Somebody may sleep because all places were taken.
  if (OnWorker && Running-- >= config().Workers && Sleeping && !Ready.empty())
    WorkCv.notify_one();
  if (--O->Users)
    return;
  if (O->Exclusive) {
    --ExclusiveRunning;
    // Another one may have been passed over meanwhile.
    WorkCv.notify_all();
  }
  complete(O);
}

void Scheduler::work() {
  Lock L(*this);
  for (;;) {
    uint64_t Earliest = UINT64_MAX;
    if (Op *O = pick(nullptr, true, Earliest)) {
      runPicked(L, O);
      continue;
    }
    ++Sleeping;
    if (Earliest == UINT64_MAX) {
      WorkCv.wait(L.Guard);
    } else {
      uint64_t Now = nowNs();
      auto Pause =
          std::chrono::nanoseconds(Earliest > Now ? Earliest - Now : 0);
      WorkCv.wait_for(L.Guard, Pause);
    }
    --Sleeping;
  }
}

void Scheduler::workHostFuncs() {
  InHostFunction = true;
  Lock L(*this);
  for (;;) {
    auto It = std::find_if(HostReady.begin(), HostReady.end(), [&](Op *O) {
      return eligible(*O, config().Sched == Policy::Random ? nowNs() : 0);
    });
    if (It != HostReady.end())
      runPicked(L, *It);
    else if (config().Sched == Policy::Random && !HostReady.empty())
      HostCv.wait_for(L.Guard, std::chrono::microseconds(50));
    else
      HostCv.wait(L.Guard);
  }
}

/// Starts detached threads that take no signals: those are the program's.
void Scheduler::startThreads() {
  sigset_t All, Old;
  sigfillset(&All);
  for (int Fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    sigdelset(&All, Fault);
  pthread_sigmask(SIG_SETMASK, &All, &Old);
  try {
    std::thread([this] { workHostFuncs(); }).detach();
    for (unsigned I = 0; I != config().Workers; ++I)
      std::thread([this] {
        prepareFaultStack();
        work();
      }).detach();
  } catch (const std::system_error &) {
    configError("cannot start %u worker threads; set ECHO_CPU_THREADS",
                config().Workers);
  }
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
}

void Scheduler::demandLocked(Op *O) {
  // Eager work is never kept back, so nothing needs a mark.
  if (config().Sched == Policy::Eager)
    return;
  std::vector<Op *> List{O};
  while (!List.empty()) {
    Op *Current = List.back();
    List.pop_back();
    if (Current->Demanded || Current->State == Op::Phase::Done)
      continue;
    Current->Demanded = true;
    if (config().Sched == Policy::Random)
      Current->NotBefore = std::min(
          Current->NotBefore, nowNs() + hashOf(Current->Sequence, 3) % 30000);
    if (Current->Owner->Threads)
      Current->Owner->Threads->Cv.notify_all();
    List.insert(List.end(), Current->Preds.begin(), Current->Preds.end());
  }
  WorkCv.notify_all();
  HostCv.notify_all();
}

void Scheduler::demand(Op *O) {
  Lock L(*this);
  demandLocked(O);
}

void Scheduler::wait(Op *O) {
  if (!O->done()) {
    Lock L(*this);
    beginManagedWait();
    demandLocked(O);
    // Running work here saves two thread switches. (A crew's work is not in
    // the list.)
    bool Help = O->Kind != OpKind::HostFunc;
    bool Any = O->Owner == deviceStream();
    unsigned Spins = 0;
    while (!O->done()) {
      uint64_t Earliest = UINT64_MAX;
      if (Op *Own = Help ? pick(O->Owner, Any, Earliest) : nullptr) {
        runPicked(L, Own);
        continue;
      }
      // The workers are about to be done, more often than not.
      if (Spins++ == 0 && config().Workers > 1) {
        L.Guard.unlock();
        for (int I = 0; I != 2000 && !O->done(); ++I)
          pauseCpu();
        L.Guard.lock();
        continue;
      }
      ++Waiters;
      if (Earliest == UINT64_MAX)
        DoneCv.wait(L.Guard);
      else
        DoneCv.wait_for(L.Guard, std::chrono::microseconds(20));
      --Waiters;
    }
    endManagedWait();
  }
}

} // namespace echo::cpu
