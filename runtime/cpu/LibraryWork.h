//===- LibraryWork.h - Work of CUDA libraries -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a launch tells the work of a library from a kernel.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBRARYWORK_H
#define ECHO_RUNTIME_CPU_LIBRARYWORK_H

#include "runtime/cpu/Streams.h"

namespace echo::cpu {

/// What is launched where a library has work.
const void *libraryStub();

/// Queues what \p Args hold, as echo_cpu_queue_work launches it.
cudaError_t launchLibraryWork(void **Args, Stream &S);

} // namespace echo::cpu

#endif
