//===- Printf.h - Device printf's buffer ---------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels print collects in a buffer. It reaches stdout at the calls that
// CUDA's programming guide names ("Formatted Output"), and only what the host
// knows to be done by then, so that its place among the host's own output does
// not depend on when work runs. At the end of the process the rest is lost.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_PRINTF_H
#define ECHO_RUNTIME_CPU_PRINTF_H

#include <atomic>

namespace echo::cpu {

/// The calls that flush; no other call does.
enum class FlushAt {
  Launch,       ///< a launch, before the kernel is queued
  Wait,         ///< cudaDeviceSynchronize, cudaStreamSynchronize and
                ///< cudaEventSynchronize
  BlockingCopy, ///< cudaMemcpy and its like without Async
  Reset,        ///< cudaDeviceReset
  Callback,     ///< what cudaStreamAddCallback added, before it is called
};

extern std::atomic<bool> PrintfPending, PrintfSeen;
void flushPrintfSlow();
/// The host knows of kernels that they are done, by a wait or a query: the next
/// call that flushes writes what they printed.
inline void kernelsSeenDone() {
  if (PrintfPending.load(std::memory_order_acquire))
    PrintfSeen.store(true, std::memory_order_relaxed);
}
/// Writes what kernels printed to stdout. Called on host threads only.
inline void flushPrintf(FlushAt) {
  if (PrintfSeen.load(std::memory_order_relaxed))
    flushPrintfSlow();
}

} // namespace echo::cpu

#endif
