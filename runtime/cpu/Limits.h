//===- Limits.h - Device limits ------------------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits that cudaDeviceSetLimit sets: stack, printf buffer, heap of device
// malloc.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIMITS_H
#define ECHO_RUNTIME_CPU_LIMITS_H

#include <cstddef>

namespace echo::cpu {

/// Takes bytes from the heap of device malloc; false if the limit is reached.
bool takeHeap(size_t Bytes);
void returnHeap(size_t Bytes);

} // namespace echo::cpu

#endif
