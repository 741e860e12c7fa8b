//===- Grid.cpp - Running blocks ------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the blocks of a grid. See Grid.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Grid.h"
#include "runtime/cpu/Crew.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Fibers.h"
#include "runtime/cpu/PerThread.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__thread EchoCpuThread *echo_cpu_self = nullptr;

namespace echo::cpu {

namespace {
/// What the calling thread runs.
struct Running {
  const char *Kernel = nullptr;
  jmp_buf Leave; ///< out of a kernel that runs without fibers
};

/// Shared memory of one thread's blocks, reused from launch to launch.
struct SharedMemory {
  char *Data = nullptr;
  size_t Bytes = 0;
  char *atLeast(size_t Need) {
    if (Need > Bytes) {
      free(Data);
      Bytes = (Need + 4095) / 4096 * 4096;
      Data = static_cast<char *>(aligned_alloc(4096, Bytes));
    }
    return Data;
  }
  /// AddressSanitizer guards all but the first \p Static bytes and those from
  /// \p Dynamic to \p End. Gaps between variables are the kernel's to guard.
  void guard(size_t Static, size_t Dynamic, size_t End) {
    if (!underAsan() || !Data)
      return;
    __asan_unpoison_memory_region(Data, Bytes);
    __asan_poison_memory_region(Data + Static, Dynamic - Static);
    __asan_poison_memory_region(Data + End, Bytes - End);
  }
  ~SharedMemory() { free(Data); }
};
} // namespace

static thread_local Running *Current = nullptr;

const char *runningKernel() { return Current ? Current->Kernel : nullptr; }

void abandonKernel(cudaError_t Error) {
  failDevice(Error);
  if (!Current) {
    fputs("echo-cpu: error: device code failed outside of a kernel\n", stderr);
    abort();
  }
  leaveFiberBlock();
  longjmp(Current->Leave, 1);
}

/// Chunks per worker: enough to balance, few enough to be cheap.
static constexpr uint64_t ChunksPerWorker = 16;
static constexpr uint64_t SharedAlign = 256;

GridOp::GridOp(const EchoCpuKernel &Kernel, dim3 Grid, dim3 Block,
               uint32_t Dynamic, void *const *Args, bool Cooperative)
    : Op(OpKind::Grid), Kernel(Kernel),
      NumBlocks(uint64_t(Grid.x) * Grid.y * Grid.z) {
  Exclusive = Cooperative;
  memset(&Shape, 0, sizeof(Shape));
  uint32_t G[] = {Grid.x, Grid.y, Grid.z}, B[] = {Block.x, Block.y, Block.z};
  std::copy_n(G, 3, Shape.gridDim);
  std::copy_n(B, 3, Shape.blockDim);
  Shape.dynamicSharedBytes = Dynamic;
  Shape.dynamicSharedOffset =
      (Kernel.staticSharedBytes + SharedAlign - 1) / SharedAlign * SharedAlign;
  // The order of blocks of one grid is nothing to a pair.
  const uint64_t Threads = underCheck() ? 1 : GridShares;
  Shares = std::min<uint64_t>(NumBlocks, Cooperative ? NumBlocks : Threads);
  uint64_t Workers = config().Workers;
  Chunk = Cooperative
              ? 1
              : std::max<uint64_t>(1, NumBlocks / (Workers * ChunksPerWorker));
  uint64_t *Packed = SmallParams;
  if (Kernel.paramBytes > sizeof(SmallParams)) {
    Params.reset(new uint64_t[(Kernel.paramBytes + 7) / 8]);
    Packed = Params.get();
  }
  Shape.params = reinterpret_cast<char *>(Packed);
  for (uint32_t I = 0; I != Kernel.numParams; ++I)
    memcpy(Shape.params + Kernel.paramOffsets[I], Args[I],
           Kernel.paramSizes[I]);
}

unsigned GridOp::width() const {
  return std::min<uint64_t>(config().Workers, (NumBlocks + Chunk - 1) / Chunk);
}

void GridOp::runBlocks(EchoCpuBlock &B, uint64_t First, uint64_t Last) {
  const uint32_t X = B.gridDim[0], Y = B.gridDim[1];
  B.blockIdx[0] = First % X;
  B.blockIdx[1] = First / X % Y;
  B.blockIdx[2] = First / X / Y;
  bool Fibers = Kernel.flags & ECHO_CPU_NEEDS_FIBERS;
  for (uint64_t I = First; I != Last; ++I) {
    if (Fibers) {
      runFiberBlock(Kernel, B);
      if (deviceFailed())
        return;
    } else {
      Kernel.block(&B);
    }
    if (++B.blockIdx[0] == X) {
      B.blockIdx[0] = 0;
      if (++B.blockIdx[1] == Y) {
        B.blockIdx[1] = 0;
        ++B.blockIdx[2];
      }
    }
  }
}

/// Lets \p Blocks run blocks on the calling thread, until a kernel fails.
template <typename Fn> void GridOp::onThisThread(Fn Blocks) {
  Running Here;
  Here.Kernel = Kernel.name;
  EchoCpuBlock Block = Shape;
  size_t SharedBytes =
      size_t(Shape.dynamicSharedOffset) + Shape.dynamicSharedBytes;
  Block.sharedMem = nullptr;
  if (SharedBytes) {
    auto &Shared = PerThread<SharedMemory>::get();
    Block.sharedMem = Shared.atLeast(SharedBytes);
    Shared.guard(Kernel.staticSharedBytes, Shape.dynamicSharedOffset,
                 SharedBytes);
  }
  EchoCpuThread Self;
  memset(&Self, 0, sizeof(Self));
  Self.block = &Block;
  Running *OuterRunning = Current;
  EchoCpuThread *OuterSelf = echo_cpu_self;
  Current = &Here;
  echo_cpu_self = &Self;
  if (setjmp(Here.Leave) == 0)
    Blocks(Block);
  // After a failure the rest is not begun.
  if (deviceFailed())
    NextBlock.store(NumBlocks, std::memory_order_relaxed);
  Current = OuterRunning;
  echo_cpu_self = OuterSelf;
}

void GridOp::run() {
  onThisThread([this](EchoCpuBlock &Block) {
    for (;;) {
      uint64_t First = NextBlock.fetch_add(Chunk, std::memory_order_relaxed);
      if (First >= NumBlocks || deviceFailed())
        break;
      runBlocks(Block, First, std::min(First + Chunk, NumBlocks));
    }
  });
}

/// Neighbouring blocks run on different threads, so that ThreadSanitizer sees
/// them unordered.
void GridOp::runShare(unsigned Share) {
  onThisThread([=, this](EchoCpuBlock &Block) {
    for (uint64_t I = Share; I < NumBlocks && !deviceFailed(); I += Shares)
      runBlocks(Block, I, I + 1);
  });
}

} // namespace echo::cpu
