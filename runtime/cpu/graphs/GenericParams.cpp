//===- GenericParams.cpp - Parameters of any node -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See GenericParams.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/GenericParams.h"
#include "runtime/cpu/Events.h"
#include "runtime/cpu/graphs/GraphMemory.h"

namespace echo::cpu {

cudaError_t makeChildWork(cudaGraph_t Child, NodeWork &Out) {
  const Graph *G = findGraph(Child);
  if (!G)
    return cudaErrorInvalidValue;
  if (hasMemory(*G))
    return cudaErrorNotSupported;
  Out = ChildWork{cloneGraph(*G, /*Private=*/false)};
  return cudaSuccess;
}

cudaError_t makeRecordWork(cudaEvent_t E, NodeWork &Out) {
  if (!findEvent(E))
    return cudaErrorInvalidValue;
  Out = RecordWork{E};
  return cudaSuccess;
}

cudaError_t makeWaitWork(cudaEvent_t E, NodeWork &Out) {
  if (!findEvent(E))
    return cudaErrorInvalidValue;
  Out = WaitWork{E};
  return cudaSuccess;
}

static cudaError_t makeGenericKernel(const cudaGraphNodeParams &P,
                                     NodeWork &Out) {
  const auto &K = P.kernel;
  const cudaKernelNodeParams Params = {
      K.func,
      {K.gridDim[0], K.gridDim[1], K.gridDim[2]},
      {K.blockDim[0], K.blockDim[1], K.blockDim[2]},
      K.sharedMemBytes,
      K.kernelParams,
      K.extra};
  return makeKernelWork(&Params, Out);
}

/// Types that CUDA 13 knows.
static constexpr int NumTypes = 14;

cudaError_t makeGenericWork(const cudaGraphNodeParams *P, NodeWork &Out) {
  if (!P || P->reserved0[0] || P->reserved0[1] || P->reserved0[2] ||
      P->reserved2)
    return cudaErrorInvalidValue;
  switch (P->type) {
  case cudaGraphNodeTypeKernel:
    return makeGenericKernel(*P, Out);
  case cudaGraphNodeTypeMemcpy:
    return P->memcpy.flags ? cudaErrorInvalidValue
                           : makeCopyWork(&P->memcpy.copyParams, Out);
  case cudaGraphNodeTypeMemset:
    return makeSetWork(&P->memset, Out);
  case cudaGraphNodeTypeHost:
    return makeHostWork(&P->host, Out);
  case cudaGraphNodeTypeGraph:
    return P->graph.ownership ? cudaErrorNotSupported
                              : makeChildWork(P->graph.graph, Out);
  case cudaGraphNodeTypeEmpty:
    Out = EmptyWork{};
    return cudaSuccess;
  case cudaGraphNodeTypeWaitEvent:
    return makeWaitWork(P->event.event, Out);
  case cudaGraphNodeTypeEventRecord:
    return makeRecordWork(P->event.event, Out);
  case cudaGraphNodeTypeMemAlloc:
  case cudaGraphNodeTypeMemFree:
    return cudaErrorNotSupported;
  }
  // Semaphores, conditions.
  return unsigned(P->type) < NumTypes ? cudaErrorNotSupported
                                      : cudaErrorInvalidValue;
}

} // namespace echo::cpu
