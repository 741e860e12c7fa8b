//===- Grid.h - One launched kernel --------------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launched grid: its blocks are shared out among the threads that run it, in
// chunks, so that tiny blocks stay cheap. It decides nothing about order
// between launches.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRID_H
#define ECHO_RUNTIME_CPU_GRID_H

#include "runtime/abi/CpuModule.h"
#include "runtime/cpu/CudaTypes.h"
#include "runtime/cpu/Op.h"

#include <memory>

namespace echo::cpu {

class GridOp final : public Op {
public:
  GridOp(const EchoCpuKernel &Kernel, dim3 Grid, dim3 Block, uint32_t Dynamic,
         void *const *Args, bool Cooperative);

  void run() override;
  void runShare(unsigned Share) override;
  bool exhausted() const override {
    return NextBlock.load(std::memory_order_relaxed) >= NumBlocks;
  }
  unsigned width() const override;
  const char *name() const { return Kernel.name; }

private:
  void runBlocks(EchoCpuBlock &B, uint64_t First, uint64_t Last);
  template <typename Fn> void onThisThread(Fn Blocks);

  const EchoCpuKernel &Kernel;
  EchoCpuBlock Shape; ///< what all blocks have in common
  uint64_t NumBlocks;
  uint64_t Chunk;
  std::atomic<uint64_t> NextBlock{0};
  std::unique_ptr<uint64_t[]> Params; ///< large parameter blocks
  uint64_t SmallParams[16];
};

/// The kernel that this thread runs, for messages; null outside of one.
const char *runningKernel();
/// Ends the running kernel: the device fails with \p Error. Does not return.
[[noreturn]] void abandonKernel(cudaError_t Error);

} // namespace echo::cpu

#endif
