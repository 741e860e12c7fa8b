//===- NodeParamsApi.cpp - Calls that read and change nodes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaGraph*NodeGetParams and cudaGraph*NodeSetParams. A node keeps its kind;
// graphs that were instantiated before keep what it was then.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/GenericParams.h"
#include "runtime/cpu/graphs/GraphCalls.h"
#include "runtime/cpu/graphs/SymbolCopies.h"

using namespace echo::cpu;

/// Reads the node of a handle, if it does a \p Work.
template <typename Work, typename Out, typename Fn>
[[gnu::always_inline]] static inline cudaError_t get(cudaGraphNode_t Handle,
                                                     Out *Result, Fn Read) {
  return graphApi([&] {
    GraphNode *N = findNode(Handle);
    auto *W = N ? std::get_if<Work>(&N->Work) : nullptr;
    if (!W || !Result)
      return cudaErrorInvalidValue;
    *Result = Read(*W);
    return cudaSuccess;
  });
}

/// Gives the node of a handle the work that \p Make makes, of the same kind.
template <typename Fn>
[[gnu::always_inline]] static inline cudaError_t set(cudaGraphNode_t Handle,
                                                     Fn Make) {
  return graphApi([&] {
    GraphNode *N = findNode(Handle);
    NodeWork New;
    if (!N)
      return cudaErrorInvalidValue;
    if (cudaError_t Error = Make(New))
      return Error;
    if (N->Work.index() != New.index())
      return cudaErrorInvalidValue;
    if (auto *Old = std::get_if<KernelWork>(&N->Work))
      std::get<KernelWork>(New).Shape.Cooperative = Old->Shape.Cooperative;
    N->Work = std::move(New);
    return cudaSuccess;
  });
}

extern "C" {

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t N,
                                         cudaKernelNodeParams *Out) {
  return get<KernelWork>(N, Out, [](KernelWork &W) { return paramsOf(W); });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t N,
                                         const cudaKernelNodeParams *P) {
  return set(N, [=](NodeWork &W) { return makeKernelWork(P, W); });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t N,
                                         cudaMemcpy3DParms *Out) {
  return get<CopyWork>(N, Out, [](CopyWork &W) { return W.Asked; });
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t N,
                                         const cudaMemcpy3DParms *P) {
  return set(N, [=](NodeWork &W) { return makeCopyWork(P, W); });
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t N, void *Dst,
                                           const void *Src, size_t Bytes,
                                           cudaMemcpyKind Kind) {
  return set(N, [=](NodeWork &W) {
    const cudaMemcpy3DParms P = copyParams(Dst, Src, Bytes, Kind);
    return makeCopyWork(&P, W);
  });
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t N,
                                                 const void *Symbol,
                                                 const void *Src, size_t Bytes,
                                                 size_t Offset,
                                                 cudaMemcpyKind Kind) {
  return set(N, [=](NodeWork &W) {
    return makeToSymbol({Symbol, Offset}, Src, Bytes, Kind, W);
  });
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t N, void *Dst,
                                                   const void *Symbol,
                                                   size_t Bytes, size_t Offset,
                                                   cudaMemcpyKind Kind) {
  return set(N, [=](NodeWork &W) {
    return makeFromSymbol(Dst, {Symbol, Offset}, Bytes, Kind, W);
  });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t N,
                                         cudaMemsetParams *Out) {
  return get<SetWork>(N, Out, [](SetWork &W) { return W.Asked; });
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t N,
                                         const cudaMemsetParams *P) {
  return set(N, [=](NodeWork &W) { return makeSetWork(P, W); });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t N,
                                       cudaHostNodeParams *Out) {
  return get<HostWork>(N, Out, [](HostWork &W) { return W.Asked; });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t N,
                                       const cudaHostNodeParams *P) {
  return set(N, [=](NodeWork &W) { return makeHostWork(P, W); });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t N,
                                            cudaGraph_t *Out) {
  return get<ChildWork>(N, Out,
                        [](ChildWork &W) { return handleOf(W.Body.get()); });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t N,
                                             cudaEvent_t *Out) {
  return get<RecordWork>(N, Out, [](RecordWork &W) { return W.Event; });
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t N, cudaEvent_t E) {
  return set(N, [=](NodeWork &W) { return makeRecordWork(E, W); });
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t N,
                                           cudaEvent_t *Out) {
  return get<WaitWork>(N, Out, [](WaitWork &W) { return W.Event; });
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t N, cudaEvent_t E) {
  return set(N, [=](NodeWork &W) { return makeWaitWork(E, W); });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t N, cudaGraphNodeParams *P) {
  return set(N, [=](NodeWork &W) { return makeGenericWork(P, W); });
}

} // extern "C"
