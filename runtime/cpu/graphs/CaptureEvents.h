//===- CaptureEvents.h - Events of captured streams -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides what a record and a wait mean where a stream is captured: a fork and
// a join of the graph, or a node where the program asks for one. It must never
// let a graph depend on work outside of it, nor the host on work inside.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_CAPTUREEVENTS_H
#define ECHO_RUNTIME_CPU_GRAPHS_CAPTUREEVENTS_H

#include "runtime/cpu/Events.h"
#include "runtime/cpu/graphs/Capture.h"
#include "runtime/cpu/graphs/GraphTypes.h"

#include <optional>

namespace echo::cpu {

/// Records the event in \p S, which is captured.
cudaError_t captureRecord(cudaEvent_t Handle, Stream &S, unsigned Flags);
/// \p S waits for the event, where one of them belongs to a capture; nothing
/// where none does.
std::optional<cudaError_t> captureWait(cudaEvent_t Handle, Stream &S,
                                       unsigned Flags);

cudaError_t enterEventSlow(Event &E);
/// Refuses a call that asks or waits for \p E, because of captures.
inline cudaError_t enterEvent(Event &E) {
  return anyCapture() || E.OfCapture.load(std::memory_order_acquire)
             ? enterEventSlow(E)
             : cudaSuccess;
}

} // namespace echo::cpu

#endif
