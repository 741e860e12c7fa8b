//===- RuntimeOps.h - What Echo asks of the CUDA runtime --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime interposer's DeviceOps: calls of the runtime that the program
// uses, found beside the first of its functions that was called.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_RUNTIMEOPS_H
#define ECHO_RUNTIME_DR_INTERPOSERS_RUNTIMEOPS_H

#include "runtime/dr/Core.h"

namespace echo::dr {

/// \p Function is one of the runtime that the program calls.
void foundRuntime(void *Function);

const DeviceOps &runtimeOps();

} // namespace echo::dr

#endif
