//===- ExecParamsApi.cpp - Calls that change launchable graphs ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaGraphExec*NodeSetParams. What may change is decided in Updates.h; later
// launches have it, those before do not.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/GenericParams.h"
#include "runtime/cpu/graphs/GraphCalls.h"
#include "runtime/cpu/graphs/SymbolCopies.h"
#include "runtime/cpu/graphs/Updates.h"

using namespace echo::cpu;

/// Gives the copy of a node the work that \p Make makes.
template <typename Fn>
[[gnu::always_inline]] static inline cudaError_t
set(cudaGraphExec_t Handle, cudaGraphNode_t Original, Fn Make) {
  return graphApi([&] {
    Exec *X = findExec(Handle);
    GraphNode *N = X ? nodeIn(*X, Original) : nullptr;
    NodeWork New;
    if (!N)
      return cudaErrorInvalidValue;
    if (cudaError_t Error = Make(New))
      return Error;
    return updateNode(N, std::move(New));
  });
}

extern "C" {

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t X,
                                             cudaGraphNode_t N,
                                             const cudaKernelNodeParams *P) {
  return set(X, N, [=](NodeWork &W) { return makeKernelWork(P, W); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t X,
                                             cudaGraphNode_t N,
                                             const cudaMemcpy3DParms *P) {
  return set(X, N, [=](NodeWork &W) { return makeCopyWork(P, W); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t X,
                                               cudaGraphNode_t N, void *Dst,
                                               const void *Src, size_t Bytes,
                                               cudaMemcpyKind Kind) {
  return set(X, N, [=](NodeWork &W) {
    const cudaMemcpy3DParms P = copyParams(Dst, Src, Bytes, Kind);
    return makeCopyWork(&P, W);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t X, cudaGraphNode_t N, const void *Symbol, const void *Src,
    size_t Bytes, size_t Offset, cudaMemcpyKind Kind) {
  return set(X, N, [=](NodeWork &W) {
    return makeToSymbol({Symbol, Offset}, Src, Bytes, Kind, W);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t X, cudaGraphNode_t N, void *Dst, const void *Symbol,
    size_t Bytes, size_t Offset, cudaMemcpyKind Kind) {
  return set(X, N, [=](NodeWork &W) {
    return makeFromSymbol(Dst, {Symbol, Offset}, Bytes, Kind, W);
  });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t X,
                                             cudaGraphNode_t N,
                                             const cudaMemsetParams *P) {
  return set(X, N, [=](NodeWork &W) { return makeSetWork(P, W); });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t X, cudaGraphNode_t N,
                                           const cudaHostNodeParams *P) {
  return set(X, N, [=](NodeWork &W) { return makeHostWork(P, W); });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t X,
                                                 cudaGraphNode_t N,
                                                 cudaGraph_t Child) {
  return set(X, N, [=](NodeWork &W) { return makeChildWork(Child, W); });
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t X,
                                                 cudaGraphNode_t N,
                                                 cudaEvent_t E) {
  return set(X, N, [=](NodeWork &W) { return makeRecordWork(E, W); });
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t X,
                                               cudaGraphNode_t N,
                                               cudaEvent_t E) {
  return set(X, N, [=](NodeWork &W) { return makeWaitWork(E, W); });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t X, cudaGraphNode_t N,
                                       cudaGraphNodeParams *P) {
  return set(X, N, [=](NodeWork &W) { return makeGenericWork(P, W); });
}

} // extern "C"
