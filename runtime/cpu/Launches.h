//===- Launches.h - Whether a launch is right -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a kernel may be launched with a shape and arguments, from
// what its module registered and the device's limits. It queues nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LAUNCHES_H
#define ECHO_RUNTIME_CPU_LAUNCHES_H

#include "runtime/abi/CpuModule.h"
#include "runtime/cpu/CudaTypes.h"

namespace echo::cpu {

/// How a kernel is launched, beside its arguments.
struct LaunchShape {
  dim3 Grid, Block;
  size_t Shared;
  bool Cooperative;
};

/// The kernel that \p Stub stands for, if it may be launched so.
cudaError_t checkLaunch(const void *Stub, const LaunchShape &L,
                        void *const *Args, const EchoCpuKernel *&Out);

} // namespace echo::cpu

#endif
