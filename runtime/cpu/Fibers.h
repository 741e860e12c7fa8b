//===- Fibers.h - Threads of a block as fibers ---------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the threads of one block as fibers on the calling thread, for kernels
// with barriers or warp operations. Decides which fiber runs next, and that a
// block is stuck when none can. Stacks are kept per host thread.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_FIBERS_H
#define ECHO_RUNTIME_CPU_FIBERS_H

#include "runtime/abi/CpuModule.h"
#include "runtime/cpu/Warp.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace echo::cpu {

struct Fiber {
  void *Context = nullptr; ///< where it goes on
  EchoCpuThread Self = {};
  LaneResult Result; ///< of its last warp operation
  char *StackLow = nullptr;
  size_t StackBytes = 0;
  size_t Color = 0;          ///< bytes left free at the stack's top
  void *FakeStack = nullptr; ///< AddressSanitizer's
  bool Started = false;
};

/// A barrier of the block.
struct Barrier {
  uint32_t Expected = 0; ///< 0: every thread that has not ended
  uint32_t Arrived = 0;
  std::vector<uint32_t> Waiting;
  int32_t Count = 0, And = 1, Or = 0; ///< of the round that is open
  int32_t Results[3] = {};            ///< of the round that closed last
};

class FiberBlock {
public:
  ~FiberBlock();
  /// Runs the block to its end, or until the device fails.
  void run(const EchoCpuKernel &Kernel, const EchoCpuBlock &Block);

  /// What the running fiber asks for.
  void barrier(uint32_t Id, uint32_t Count, bool Wait);
  int32_t barrierReduce(uint32_t Op, int32_t Predicate);
  LaneResult collective(uint32_t Mask, WarpOp Operation, LaneInput Input);
  void yield();
  /// Is this address in the page below a stack?
  bool onGuard(const void *Address) const;
  unsigned lane() const { return Current->Self.linear % WarpLanes; }
  /// Back to run() for good; the fibers are dropped.
  [[noreturn]] void abandon();

private:
  void grow(unsigned Count);
  void makeContext(Fiber &F);
  void startBlock();
  void switchTo(Fiber &F);
  void arrived(Fiber &F);
  void runNext();
  void endThread();
  void release(unsigned Id);
  bool satisfied(const Barrier &B) const;
  void finishGroup(Warp &W, unsigned WarpIndex, WarpGroup &G);
  void reportStuck() const;
  void dropFibers();
  void dropStacks();
  void fiberMain();
  friend struct FiberEntry;

  std::vector<Fiber> Fibers;
  std::vector<uint32_t> Ready; ///< ring buffer
  size_t Head = 0, Queued = 0;
  void enqueue(uint32_t Index) {
    size_t At = Head + Queued++;
    Ready[At < Ready.size() ? At : At - Ready.size()] = Index;
  }
  uint32_t dequeue() {
    uint32_t Index = Ready[Head];
    if (++Head == Ready.size())
      Head = 0;
    --Queued;
    return Index;
  }

  Fiber Main;
  Fiber *Current = nullptr, *Previous = nullptr;
  const EchoCpuKernel *Kernel = nullptr;
  const EchoCpuBlock *Block = nullptr;
  unsigned Threads = 0, Live = 0;
  uint32_t OpenBarriers = 0; ///< bit i: somebody waits at barrier i
  Barrier Barriers[16];
  std::vector<Warp> Warps;
  std::vector<std::pair<char *, size_t>> Slabs; ///< mapped stacks
  bool Abandoned = false;
};

/// Runs one block on the calling thread.
void runFiberBlock(const EchoCpuKernel &Kernel, const EchoCpuBlock &Block);
/// If a fiber runs, leaves its block and does not return.
void leaveFiberBlock();
/// The block whose fiber runs on this thread, or null.
FiberBlock *currentFiberBlock();
/// Stack bytes for fibers made from now on.
void setFiberStack(size_t Bytes);
size_t fiberStack();

} // namespace echo::cpu

#endif
