//===- Scheduler.h - When queued work runs -------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides when an operation that waits for nothing more runs, by the policy
// (eager, lazy, random), and on which thread. It starts its threads with the
// first work. It must never run an operation before those it waits for, nor
// keep one back for which somebody waits.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_SCHEDULER_H
#define ECHO_RUNTIME_CPU_SCHEDULER_H

#include "runtime/cpu/Crew.h"
#include "runtime/cpu/Op.h"
#include "runtime/cpu/Sanitizer.h"

#include <condition_variable>
#include <mutex>

namespace echo::cpu {

class Scheduler {
public:
  /// The scheduler's lock; ThreadSanitizer does not see it.
  class Lock {
  public:
    explicit Lock(Scheduler &S) : Guard(S.Mutex) {}
    HideSync Hide;
    std::unique_lock<std::mutex> Guard;
  };

  static Scheduler &get();

  /// Queues \p O, whose links are set; it may run when its Preds are done.
  void enqueue(Lock &L, Op *O);
  /// Waits until \p O is done; the caller may run device work meanwhile.
  void wait(Op *O);
  /// Sees to it that \p O will run, without waiting.
  void demand(Op *O);
  /// What thread \p Index of a crew does until the crew ends (Crew.cpp).
  void workForStream(Crew &C, unsigned Index);

  std::atomic<uint32_t> Pending{0};         ///< all that is not done
  std::atomic<uint32_t> PendingBlocking{0}; ///< of that, in blocking streams
  uint64_t NextSequence = 1;

private:
  void startThreads();
  void work();
  void workHostFuncs();
  bool eligible(const Op &O, uint64_t Now) const;
  Op *pick(const Stream *Only, bool Any, uint64_t &Earliest);
  void runPicked(Lock &L, Op *O);
  void makeReady(Op *O);
  void makeReadyInCrew(Op *O);
  void complete(Op *O);
  void finishOne(Op *O, std::vector<Op *> &Next);
  void demandLocked(Op *O);
  void wakeFor(const Op &O);

  std::mutex Mutex;
  std::condition_variable WorkCv, HostCv, DoneCv;
  std::vector<Op *> Ready;
  std::vector<Op *> HostReady;
  unsigned Sleeping = 0, Waiters = 0;
  unsigned ExclusiveRunning = 0;
  unsigned Running = 0; ///< threads that run device work; at most Workers
  bool Started = false;
};

/// Nanoseconds on a clock that only goes forward.
uint64_t nowNs();

} // namespace echo::cpu

#endif
