//===- Launches.cpp - Whether a launch is right ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks a launch as CUDA does. See Launches.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Launches.h"
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Registry.h"

namespace echo::cpu {

static cudaError_t checkShape(const Function &Fn, dim3 Grid, dim3 Block,
                              size_t Shared) {
  auto over = [](unsigned Value, Attr Limit) {
    return Value > unsigned(attribute(Limit));
  };
  uint64_t Threads = uint64_t(Block.x) * Block.y * Block.z;
  // One error for all, as CUDA 13 gives it (seen on an H200).
  if (!Threads || !Grid.x || !Grid.y || !Grid.z ||
      over(Grid.x, Attr::MaxGridDimX) || over(Grid.y, Attr::MaxGridDimY) ||
      over(Grid.z, Attr::MaxGridDimZ) || over(Block.x, Attr::MaxBlockDimX) ||
      over(Block.y, Attr::MaxBlockDimY) || over(Block.z, Attr::MaxBlockDimZ) ||
      Threads > MaxBlockThreads)
    return cudaErrorInvalidValue;
  if (Threads > Fn.maxThreads() || Shared > size_t(Fn.maxDynamicShared()))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t checkLaunch(const void *Stub, const LaunchShape &L,
                        void *const *Args, const EchoCpuKernel *&Out) {
  Function *Fn = nullptr;
  if (cudaError_t Error = findFunction(Stub, Fn); Error != cudaSuccess)
    return Error;
  if (cudaError_t Error = checkShape(*Fn, L.Grid, L.Block, L.Shared);
      Error != cudaSuccess)
    return Error;
  if (!Args && Fn->Kernel->numParams)
    return cudaErrorInvalidValue;
  // All blocks of a cooperative grid must run at once: one on each worker.
  if (L.Cooperative &&
      uint64_t(L.Grid.x) * L.Grid.y * L.Grid.z > config().Workers)
    return cudaErrorCooperativeLaunchTooLarge;
  Out = Fn->Kernel;
  return cudaSuccess;
}

} // namespace echo::cpu
