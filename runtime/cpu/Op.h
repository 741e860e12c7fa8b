//===- Op.h - One piece of queued work ------------------------ -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a stream's queue holds. An operation knows what it waits for; when it
// runs is the scheduler's to decide (Scheduler.h). Its links are guarded by the
// scheduler's lock, but for the flag that tells that it is done.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_OP_H
#define ECHO_RUNTIME_CPU_OP_H

#include "runtime/cpu/Sanitizer.h"

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace echo::cpu {

struct Stream;

enum class OpKind : uint8_t {
  Marker,   ///< does nothing; is done when what it waits for is done
  Single,   ///< runs once, on one worker
  Grid,     ///< many workers may run it at once
  HostFunc, ///< runs once, on the thread for host functions
};

struct Op {
  enum class Phase : uint8_t { Waiting, Ready, Done };

  explicit Op(OpKind Kind) : Kind(Kind) {}
  virtual ~Op() {
    if (underCheck())
      for (uint64_t *Key : {&SubmitKey, &DoneKey})
        echo_check_forget(Key);
  }

  /// Does the work. A Grid returns when nothing is left to begin.
  virtual void run() {}
  /// Does one of its Shares, under ThreadSanitizer.
  virtual void runShare(unsigned /*Share*/) { run(); }
  /// A Grid: is nothing left to begin?
  virtual bool exhausted() const { return true; }
  /// A Grid: how many workers can it use?
  virtual unsigned width() const { return 1; }

  bool done() const { return DoneFlag.load(std::memory_order_acquire); }
  void retain() { Refs.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (Refs.fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    HideSync Hide;
    delete this;
  }

  const OpKind Kind;
  Phase State = Phase::Waiting;
  bool Demanded = false;     ///< something waits for it
  bool Listed = false;       ///< in the list of ready work
  bool TouchesMemory = true; ///< counts as GPU work for managed memory
  bool Exclusive = false;    ///< a cooperative grid: only one at a time
  bool FollowsLegacy = true; ///< as work of a blocking stream does
  std::atomic<bool> DoneFlag{false};
  std::atomic<uint32_t> Refs{1};
  uint32_t NumDeps = 0;
  uint32_t Users = 0; ///< threads in run() now
  Stream *Owner = nullptr;
  uint64_t Sequence = 0;
  uint64_t NotBefore = 0;
  uint64_t FinishTime = 0; ///< nanoseconds; set where WantsTime
  bool WantsTime = false;
  // Under ThreadSanitizer (Crew.h).
  uint32_t Shares = 1; ///< threads of the stream that each run a part
  uint32_t SharesDone = 0;
  uint64_t SubmitKey = 0, DoneKey = 0;
  void *Caller = nullptr; ///< where the program queued it, for reports
  Op *After = nullptr;    ///< retained: the marker of an awaited event
  std::vector<Op *> Dependents;
  std::vector<Op *> Preds; ///< retained until done
};

/// Owns one reference.
class OpRef {
public:
  OpRef() = default;
  explicit OpRef(Op *O) : P(O) {}
  OpRef(const OpRef &O) : P(O.P) {
    if (P)
      P->retain();
  }
  OpRef(OpRef &&O) noexcept : P(std::exchange(O.P, nullptr)) {}
  OpRef &operator=(OpRef O) noexcept {
    std::swap(P, O.P);
    return *this;
  }
  ~OpRef() {
    if (P)
      P->release();
  }
  /// Shares ownership of \p O.
  static OpRef share(Op *O) {
    if (O)
      O->retain();
    return OpRef(O);
  }
  Op *get() const { return P; }
  Op *operator->() const { return P; }
  explicit operator bool() const { return P; }

private:
  Op *P = nullptr;
};

/// An operation that calls \p Fn once.
template <typename Fn> struct CallOp final : Op {
  CallOp(OpKind Kind, Fn Body) : Op(Kind), Body(std::move(Body)) {}
  void run() override { Body(); }
  Fn Body;
};
template <typename Fn> Op *makeOp(Fn Body, OpKind Kind = OpKind::Single) {
  return new CallOp<Fn>(Kind, std::move(Body));
}

} // namespace echo::cpu

#endif
