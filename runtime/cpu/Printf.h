//===- Printf.h - Device printf's buffer ---------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels print collects in a buffer and reaches stdout when the host
// waits, as CUDA does it, so that its place among the host's own output does
// not depend on when work runs.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_PRINTF_H
#define ECHO_RUNTIME_CPU_PRINTF_H

#include <atomic>

namespace echo::cpu {

extern std::atomic<bool> PrintfPending;
void flushPrintfSlow();
/// Writes what kernels printed to stdout. Called on host threads only.
inline void flushPrintf() {
  if (PrintfPending.load(std::memory_order_acquire))
    flushPrintfSlow();
}

} // namespace echo::cpu

#endif
