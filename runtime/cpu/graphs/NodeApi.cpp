//===- NodeApi.cpp - Calls that add nodes to graphs -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaGraphAdd*Node. What a node may be is decided in NodeWork.h, what it may
// need in Edges.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Edges.h"
#include "runtime/cpu/graphs/GenericParams.h"
#include "runtime/cpu/graphs/GraphCalls.h"
#include "runtime/cpu/graphs/SymbolCopies.h"

using namespace echo::cpu;

/// Adds a node whose work \p Make makes, or refuses.
template <typename Fn>
[[gnu::always_inline]] static inline cudaError_t
addNode(cudaGraphNode_t *Out, cudaGraph_t Handle, NodeList List, Fn Make) {
  return graphApi([&] {
    Graph *G = findGraph(Handle);
    std::vector<GraphNode *> Needs;
    NodeWork Work;
    if (!Out || !G)
      return cudaErrorInvalidValue;
    if (cudaError_t Error = nodesOf(*G, List, Needs))
      return Error;
    if (cudaError_t Error = Make(Work))
      return Error;
    *Out = handleOf(G->add(std::move(Work), Needs));
    return cudaSuccess;
  });
}

extern "C" {

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *Out, cudaGraph_t G,
                                  const cudaGraphNode_t *Needs, size_t Count) {
  return addNode(Out, G, {Needs, nullptr, Count},
                 [](NodeWork &) { return cudaSuccess; });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *Out, cudaGraph_t G,
                                   const cudaGraphNode_t *Needs, size_t Count,
                                   const cudaKernelNodeParams *P) {
  return addNode(Out, G, {Needs, nullptr, Count},
                 [=](NodeWork &W) { return makeKernelWork(P, W); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *Out, cudaGraph_t G,
                                   const cudaGraphNode_t *Needs, size_t Count,
                                   const cudaMemcpy3DParms *P) {
  return addNode(Out, G, {Needs, nullptr, Count},
                 [=](NodeWork &W) { return makeCopyWork(P, W); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *Out, cudaGraph_t G,
                                     const cudaGraphNode_t *Needs, size_t Count,
                                     void *Dst, const void *Src, size_t Bytes,
                                     cudaMemcpyKind Kind) {
  return addNode(Out, G, {Needs, nullptr, Count}, [=](NodeWork &W) {
    const cudaMemcpy3DParms P = copyParams(Dst, Src, Bytes, Kind);
    return makeCopyWork(&P, W);
  });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *Out, cudaGraph_t G,
                                           const cudaGraphNode_t *Needs,
                                           size_t Count, const void *Symbol,
                                           const void *Src, size_t Bytes,
                                           size_t Offset, cudaMemcpyKind Kind) {
  return addNode(Out, G, {Needs, nullptr, Count}, [=](NodeWork &W) {
    return makeToSymbol({Symbol, Offset}, Src, Bytes, Kind, W);
  });
}

cudaError_t
cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *Out, cudaGraph_t G,
                                 const cudaGraphNode_t *Needs, size_t Count,
                                 void *Dst, const void *Symbol, size_t Bytes,
                                 size_t Offset, cudaMemcpyKind Kind) {
  return addNode(Out, G, {Needs, nullptr, Count}, [=](NodeWork &W) {
    return makeFromSymbol(Dst, {Symbol, Offset}, Bytes, Kind, W);
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *Out, cudaGraph_t G,
                                   const cudaGraphNode_t *Needs, size_t Count,
                                   const cudaMemsetParams *P) {
  return addNode(Out, G, {Needs, nullptr, Count},
                 [=](NodeWork &W) { return makeSetWork(P, W); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *Out, cudaGraph_t G,
                                 const cudaGraphNode_t *Needs, size_t Count,
                                 const cudaHostNodeParams *P) {
  return addNode(Out, G, {Needs, nullptr, Count},
                 [=](NodeWork &W) { return makeHostWork(P, W); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *Out, cudaGraph_t G,
                                       const cudaGraphNode_t *Needs,
                                       size_t Count, cudaGraph_t Child) {
  return addNode(Out, G, {Needs, nullptr, Count},
                 [=](NodeWork &W) { return makeChildWork(Child, W); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *Out, cudaGraph_t G,
                                        const cudaGraphNode_t *Needs,
                                        size_t Count, cudaEvent_t E) {
  return addNode(Out, G, {Needs, nullptr, Count},
                 [=](NodeWork &W) { return makeRecordWork(E, W); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *Out, cudaGraph_t G,
                                      const cudaGraphNode_t *Needs,
                                      size_t Count, cudaEvent_t E) {
  return addNode(Out, G, {Needs, nullptr, Count},
                 [=](NodeWork &W) { return makeWaitWork(E, W); });
}

#if ECHO_CUDA_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t *Out, cudaGraph_t G,
                             const cudaGraphNode_t *Needs,
                             const cudaGraphEdgeData *Edges, size_t Count,
                             cudaGraphNodeParams *P) {
#else
cudaError_t cudaGraphAddNode(cudaGraphNode_t *Out, cudaGraph_t G,
                             const cudaGraphNode_t *Needs, size_t Count,
                             cudaGraphNodeParams *P) {
  const cudaGraphEdgeData *Edges = nullptr;
#endif
  return addNode(Out, G, {Needs, Edges, Count},
                 [=](NodeWork &W) { return makeGenericWork(P, W); });
}

} // extern "C"
