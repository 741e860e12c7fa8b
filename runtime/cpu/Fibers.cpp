//===- Fibers.cpp - Switching between the threads of a block --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs fibers, barriers and warp operations. See Fibers.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Fibers.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Grid.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/PerThread.h"
#include "runtime/cpu/Sanitizer.h"

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <sys/mman.h>

namespace ctx = boost::context::detail;

namespace echo::cpu {

static std::atomic<size_t> StackLimit{0};
static thread_local FiberBlock *Active = nullptr;

void setFiberStack(size_t Bytes) { StackLimit.store(Bytes); }
size_t fiberStack() {
  return std::max(StackLimit.load(std::memory_order_relaxed),
                  config().StackBytes);
}

/// What a context begins with.
struct FiberEntry {
  static void run(ctx::transfer_t From) {
    *static_cast<ctx::fcontext_t *>(From.data) = From.fctx;
    FiberBlock *B = Active;
    B->arrived(*B->Current);
    B->fiberMain();
  }
};

FiberBlock::~FiberBlock() { dropStacks(); }

void FiberBlock::dropStacks() {
  for (auto [Start, Bytes] : Slabs)
    munmap(Start, Bytes);
  Slabs.clear();
  Fibers.clear();
}

/// Maps stacks, each above a page that may not be touched.
void FiberBlock::grow(unsigned Count) {
  const size_t Page = pageBytes();
  size_t Stack = (fiberStack() + Page - 1) / Page * Page;
  // A raised limit makes the old stacks useless.
  if (!Fibers.empty() && Fibers.front().StackBytes < Stack)
    dropStacks();
  size_t First = Fibers.size();
  if (First >= Count)
    return;
  size_t Stride = Stack + Page, Bytes = Stride * (Count - First);
  void *P =
      mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (P == MAP_FAILED) {
    fprintf(
        stderr,
        "echo-cpu: error: kernel %s: no memory for %u stacks of %zu bytes\n",
        Kernel->name, Count, Stack);
    abandonKernel(cudaErrorLaunchOutOfResources);
  }
  auto *Start = static_cast<char *>(P);
  Slabs.emplace_back(Start, Bytes);
  Fibers.resize(Count);
  Ready.resize(Count);
  for (size_t I = First; I != Count; ++I) {
    char *Low = Start + (I - First) * Stride;
    // Where the system has no mappings left, the stacks go without guards.
    (void)mprotect(Low, Page, PROT_NONE);
    Fibers[I].StackLow = Low + Page;
    Fibers[I].StackBytes = Stack;
    // Equal tops would all fall into the same cache sets.
    Fibers[I].Color = I % 16 * 256;
  }
}

void FiberBlock::makeContext(Fiber &F) {
  char *Top = F.StackLow + F.StackBytes - F.Color;
  F.Context = ctx::make_fcontext(Top, F.StackBytes - F.Color, FiberEntry::run);
  F.FakeStack = nullptr;
  F.Started = true;
}

/// The running fiber goes on after a switch to it.
void FiberBlock::arrived(Fiber &F) {
  if (!__sanitizer_finish_switch_fiber)
    return;
  const void *Low = nullptr;
  size_t Bytes = 0;
  __sanitizer_finish_switch_fiber(F.FakeStack, &Low, &Bytes);
  if (Previous == &Main) {
    Main.StackLow = const_cast<char *>(static_cast<const char *>(Low));
    Main.StackBytes = Bytes;
  }
}

void FiberBlock::switchTo(Fiber &To) {
  Fiber &From = *Current;
  Previous = &From;
  Current = &To;
  if (&To != &Main)
    echo_cpu_self = &To.Self;
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(&From.FakeStack, To.StackLow, To.StackBytes);
  ctx::transfer_t Back = ctx::jump_fcontext(To.Context, &From.Context);
  *static_cast<ctx::fcontext_t *>(Back.data) = Back.fctx;
  arrived(From);
}

void FiberBlock::runNext() { switchTo(Queued ? Fibers[dequeue()] : Main); }

void FiberBlock::fiberMain() {
  for (;;) {
    Kernel->thread(Block);
    endThread();
    // Comes back with the next block.
    runNext();
  }
}

void FiberBlock::startBlock() {
  const uint32_t *Dim = Block->blockDim;
  Head = Queued = 0;
  uint32_t I = 0;
  for (uint32_t Z = 0; Z != Dim[2]; ++Z)
    for (uint32_t Y = 0; Y != Dim[1]; ++Y)
      for (uint32_t X = 0; X != Dim[0]; ++X, ++I) {
        Fiber &F = Fibers[I];
        if (!F.Started)
          makeContext(F);
        F.Self.block = Block;
        F.Self.tid[0] = X;
        F.Self.tid[1] = Y;
        F.Self.tid[2] = Z;
        F.Self.linear = I;
        enqueue(I);
      }
  Warps.resize((Threads + WarpLanes - 1) / WarpLanes);
  for (unsigned W = 0; W != Warps.size(); ++W) {
    unsigned Lanes = std::min(Threads - W * WarpLanes, WarpLanes);
    Warps[W].Live = Lanes == WarpLanes ? ~0u : (1u << Lanes) - 1;
    Warps[W].NumGroups = 0;
  }
}

void FiberBlock::run(const EchoCpuKernel &TheKernel,
                     const EchoCpuBlock &TheBlock) {
  Kernel = &TheKernel;
  Block = &TheBlock;
  Threads = Live = Block->blockDim[0] * Block->blockDim[1] * Block->blockDim[2];
  grow(Threads);
  startBlock();
  FiberBlock *Outer = Active;
  EchoCpuThread *OuterSelf = echo_cpu_self;
  Active = this;
  Current = &Main;
  runNext();
  Active = Outer;
  Current = nullptr;
  echo_cpu_self = OuterSelf;
  if (!Live)
    return;
  if (!Abandoned) {
    reportStuck();
    failDevice(cudaErrorLaunchFailure);
  }
  dropFibers();
}

/// After a failure: fibers stand anywhere, so they begin anew.
void FiberBlock::dropFibers() {
  Abandoned = false;
  OpenBarriers = 0;
  for (Barrier &B : Barriers)
    B = Barrier();
  for (Fiber &F : Fibers)
    F.Started = false;
}

void FiberBlock::abandon() {
  Abandoned = true;
  switchTo(Main);
  abort();
}

void FiberBlock::reportStuck() const {
  unsigned AtBarrier = 0, InWarp = 0;
  for (const Barrier &B : Barriers)
    AtBarrier += B.Waiting.size();
  for (const Warp &W : Warps)
    for (unsigned I = 0; I != W.NumGroups; ++I)
      InWarp += __builtin_popcount(W.Groups[I].Arrived);
  fprintf(stderr,
          "echo-cpu: error: kernel %s: block [%u,%u,%u] is stuck: of %u "
          "threads %u have ended, %u wait at a barrier and %u in a warp "
          "operation that the others never reach\n",
          Kernel->name, Block->blockIdx[0], Block->blockIdx[1],
          Block->blockIdx[2], Threads, Threads - Live, AtBarrier, InWarp);
}

bool FiberBlock::satisfied(const Barrier &B) const {
  return B.Arrived >= (B.Expected ? B.Expected : Live);
}

void FiberBlock::release(unsigned Id) {
  Barrier &B = Barriers[Id];
  B.Results[ECHO_CPU_POPC] = B.Count;
  B.Results[ECHO_CPU_AND] = B.And;
  B.Results[ECHO_CPU_OR] = B.Or;
  B.Count = B.Or = 0;
  B.And = 1;
  B.Arrived = 0;
  for (uint32_t I : B.Waiting)
    enqueue(I);
  B.Waiting.clear();
  OpenBarriers &= ~(1u << Id);
}

void FiberBlock::barrier(uint32_t Id, uint32_t Count, bool Wait) {
  Id &= 15;
  Barrier &B = Barriers[Id];
  // A count of all threads means those that have not ended, as on a GPU.
  B.Expected = Count >= Threads ? 0 : Count;
  ++B.Arrived;
  if (satisfied(B)) {
    release(Id);
    return;
  }
  OpenBarriers |= 1u << Id;
  if (!Wait)
    return;
  B.Waiting.push_back(Current->Self.linear);
  runNext();
}

int32_t FiberBlock::barrierReduce(uint32_t Op, int32_t Predicate) {
  Barrier &B = Barriers[0];
  B.Count += Predicate != 0;
  B.And &= Predicate != 0;
  B.Or |= Predicate != 0;
  barrier(0, 0, true);
  return B.Results[Op <= ECHO_CPU_OR ? Op : ECHO_CPU_OR];
}

/// All lanes of \p G are there: each gets its result and goes on.
void FiberBlock::finishGroup(Warp &W, unsigned WarpIndex, WarpGroup &G) {
  for (uint32_t Lanes = G.Arrived; Lanes; Lanes &= Lanes - 1) {
    unsigned Lane = __builtin_ctz(Lanes);
    uint32_t Index = WarpIndex * WarpLanes + Lane;
    Fibers[Index].Result = laneResult(G, Lane);
    if (&Fibers[Index] != Current)
      enqueue(Index);
  }
  W.close(G);
}

LaneResult FiberBlock::collective(uint32_t Mask, WarpOp Operation,
                                  LaneInput Input) {
  unsigned WarpIndex = Current->Self.linear / WarpLanes, Lane = lane();
  if (!(Mask >> Lane & 1)) {
    fprintf(stderr,
            "echo-cpu: error: kernel %s: a warp operation's mask 0x%08x lacks "
            "the lane %u that runs it\n",
            Kernel->name, Mask, Lane);
    abandonKernel(cudaErrorIllegalInstruction);
  }
  Warp &W = Warps[WarpIndex];
  WarpGroup &G = W.group(Mask, Operation);
  G.Inputs[Lane] = Input;
  G.Arrived |= 1u << Lane;
  if (W.complete(G))
    finishGroup(W, WarpIndex, G);
  else
    runNext();
  return Current->Result;
}

/// The running thread has ended: those who waited for it need not any more.
void FiberBlock::endThread() {
  unsigned WarpIndex = Current->Self.linear / WarpLanes;
  --Live;
  Warp &W = Warps[WarpIndex];
  W.Live &= ~(1u << lane());
  for (unsigned I = 0; I < W.NumGroups;) {
    if (W.complete(W.Groups[I]))
      finishGroup(W, WarpIndex, W.Groups[I]);
    else
      ++I;
  }
  for (uint32_t Open = OpenBarriers; Open && Live; Open &= Open - 1) {
    unsigned Id = __builtin_ctz(Open);
    if (!Barriers[Id].Expected && satisfied(Barriers[Id]))
      release(Id);
  }
}

void FiberBlock::yield() {
  if (!Queued) {
    sched_yield();
    return;
  }
  enqueue(Current->Self.linear);
  runNext();
}

bool FiberBlock::onGuard(const void *Address) const {
  const size_t Page = pageBytes();
  auto *A = static_cast<const char *>(Address);
  for (const Fiber &F : Fibers)
    if (A < F.StackLow && A >= F.StackLow - Page)
      return true;
  return false;
}

void runFiberBlock(const EchoCpuKernel &Kernel, const EchoCpuBlock &Block) {
  PerThread<FiberBlock>::get().run(Kernel, Block);
}

FiberBlock *currentFiberBlock() { return Active; }

void leaveFiberBlock() {
  if (Active)
    Active->abandon();
}

} // namespace echo::cpu
