//===- FunctionApi.cpp - Attributes of kernels, occupancy -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers what a kernel needs and how many of its blocks a worker runs at once:
// one, if it can run at all.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Registry.h"

#include <algorithm>

using namespace echo::cpu;

static cudaError_t setAttribute(Function &Fn, int Name, int Value) {
  switch (Name) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    if (Value < 0 || Value > MaxSharedBytes - Fn.staticShared())
      return cudaErrorInvalidValue;
    Fn.MaxDynamic.store(Value);
    return cudaSuccess;
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (Value < -1 || Value > 100)
      return cudaErrorInvalidValue;
    Fn.Carveout.store(Value);
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

static cudaError_t occupancy(int *Blocks, const void *Stub, int Threads,
                             size_t Shared) {
  Function *Fn = nullptr;
  if (!Blocks || Threads <= 0)
    return cudaErrorInvalidValue;
  if (cudaError_t Error = findFunction(Stub, Fn))
    return Error;
  bool Fits = unsigned(Threads) <= Fn->maxThreads() &&
              Shared + Fn->staticShared() <= size_t(MaxSharedBytes);
  *Blocks = Fits ? 1 : 0;
  return cudaSuccess;
}

extern "C" {

cudaError_t cudaFuncSetAttribute(const void *Stub, int Name, int Value) {
  return api([&] {
    Function *Fn = nullptr;
    if (cudaError_t Error = findFunction(Stub, Fn))
      return Error;
    return setAttribute(*Fn, Name, Value);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Out, const void *Stub) {
  return api([&] {
    Function *Fn = nullptr;
    if (!Out)
      return cudaErrorInvalidValue;
    if (cudaError_t Error = findFunction(Stub, Fn))
      return Error;
    // CUB chooses a kernel's shape on the host by what the kernel was compiled
    // for, not by the device.
    int Arch = Fn->Kernel->flags >> ECHO_CPU_ARCH_SHIFT;
    if (!Arch)
      Arch = attribute(Attr::ComputeCapabilityMajor) * 10 +
             attribute(Attr::ComputeCapabilityMinor);
    *Out = cudaFuncAttributes();
    Out->sharedSizeBytes = Fn->staticShared();
    Out->maxThreadsPerBlock = Fn->maxThreads();
    Out->ptxVersion = Out->binaryVersion = Arch;
    Out->maxDynamicSharedSizeBytes = Fn->maxDynamicShared();
    Out->preferredShmemCarveout = Fn->Carveout.load();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(const void *Stub, int) {
  return api([&] {
    Function *Fn = nullptr;
    return findFunction(Stub, Fn);
  });
}
cudaError_t cudaFuncSetSharedMemConfig(const void *Stub, int) {
  return api([&] {
    Function *Fn = nullptr;
    return findFunction(Stub, Fn);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                          const void *Stub,
                                                          int Threads,
                                                          size_t Shared) {
  return api([&] { return occupancy(Blocks, Stub, Threads, Shared); });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Blocks, const void *Stub, int Threads, size_t Shared, unsigned Flags) {
  return api([&] {
    if (Flags > 1)
      return cudaErrorInvalidValue;
    return occupancy(Blocks, Stub, Threads, Shared);
  });
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *Bytes,
                                                      const void *Stub,
                                                      int Blocks, int Threads) {
  return api([&] {
    Function *Fn = nullptr;
    if (!Bytes || Blocks <= 0 || Threads <= 0)
      return cudaErrorInvalidValue;
    if (cudaError_t Error = findFunction(Stub, Fn))
      return Error;
    int Free = MaxSharedBytes - Fn->staticShared();
    *Bytes = Blocks == 1 ? std::max(0, Free) : 0;
    return cudaSuccess;
  });
}

} // extern "C"
