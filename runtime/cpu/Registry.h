//===- Registry.h - Modules, kernels and variables ------------ -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows which kernel a host stub stands for and which memory a host shadow
// stands for, from what compiled code registers before main. It must work in
// any order of translation units and never start the device.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_REGISTRY_H
#define ECHO_RUNTIME_CPU_REGISTRY_H

#include "runtime/abi/CpuModule.h"
#include "runtime/cpu/CudaTypes.h"

#include <atomic>

namespace echo::cpu {

inline constexpr int DefaultSharedBytes = 48 << 10;
inline constexpr int MaxSharedBytes = 227 << 10;
inline constexpr unsigned MaxBlockThreads = 1024;

struct Function {
  const EchoCpuKernel *Kernel;
  /// Dynamic shared memory that the program opted into, or -1.
  std::atomic<int> MaxDynamic{-1};
  std::atomic<int> Carveout{-1};

  int maxDynamicShared() const;
  unsigned maxThreads() const;
  /// Bytes of the kernel's own shared variables.
  int staticShared() const {
    return Kernel->staticSharedBytes - Kernel->sharedGapBytes;
  }
};

/// The kernel that \p HostStub stands for. An error where there is none, or
/// where the module is not one that this device can run; then a message was
/// printed.
cudaError_t findFunction(const void *HostStub, Function *&Out);
/// The variable that a host shadow's address stands for; false if there is
/// none.
bool findVariable(const void *HostShadow, void *&Address, size_t &Bytes);

} // namespace echo::cpu

#endif
