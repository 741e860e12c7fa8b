//===- CaptureEvents.cpp - Events of captured streams ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forks and joins captures. See CaptureEvents.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/CaptureEvents.h"
#include "runtime/cpu/graphs/Sequences.h"

namespace echo::cpu {

cudaError_t captureRecord(cudaEvent_t Handle, Stream &S, unsigned Flags) {
  GraphLock Lock;
  Captured *C = captureOf(S);
  if (!C || C->Of->Invalid)
    return cudaErrorStreamCaptureInvalidated;
  if (Flags == cudaEventRecordExternal)
    C->Next = {C->Of->Into->add(RecordWork{Handle}, C->Next)};
  else
    setCaptured(*findEvent(Handle), C->Of, C->Next);
  return cudaSuccess;
}

/// \p Error ends the capture of \p S, if it has one.
static cudaError_t refuse(Stream &S, cudaError_t Error) {
  if (Captured *C = captureOf(S))
    C->Of->Invalid = true;
  return Error;
}

std::optional<cudaError_t> captureWait(cudaEvent_t Handle, Stream &S,
                                       unsigned Flags) {
  GraphLock Lock;
  Event &E = *findEvent(Handle);
  Captured *C = captureOf(S);
  std::vector<GraphNode *> At;
  const std::shared_ptr<Sequence> From = captureOf(E, At);
  if (!From && !C)
    return std::nullopt;
  // The capture is over, and what the event stood for with it.
  if (From && From->Over)
    return refuse(S, cudaErrorInvalidValue);
  if (Flags == cudaEventWaitExternal) {
    if (!C)
      return cudaErrorIllegalState;
    C->Next = {C->Of->Into->add(WaitWork{Handle}, C->Next)};
    return cudaSuccess;
  }
  if (!From)
    return momentOf(E).Recorded ? refuse(S, cudaErrorStreamCaptureIsolation)
                                : cudaSuccess;
  if (From->Invalid)
    return refuse(S, cudaErrorStreamCaptureInvalidated);
  if (C && C->Of != From) {
    From->Invalid = true;
    return refuse(S, cudaErrorStreamCaptureMerge);
  }
  // The legacy stream can be no part of a graph.
  if (S.Legacy) {
    From->Invalid = true;
    return cudaErrorStreamCaptureImplicit;
  }
  joinCapture(S, From, At);
  return cudaSuccess;
}

cudaError_t enterEventSlow(Event &E) {
  {
    GraphLock Lock;
    std::vector<GraphNode *> At;
    if (const std::shared_ptr<Sequence> In = captureOf(E, At)) {
      if (In->Over)
        return cudaErrorInvalidValue;
      In->Invalid = true;
      return cudaErrorCapturedEvent;
    }
  }
  return enterRisky(Risk::Unsafe);
}

} // namespace echo::cpu
