//===- GraphApi.cpp - Calls that make and read graphs ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaGraphCreate, cudaGraphClone, cudaGraphDestroy, and what lists and changes
// nodes and edges. Errors are an H200's (test/e2e/programs/graph_errors.cu).
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Edges.h"
#include "runtime/cpu/graphs/GraphCalls.h"
#include "runtime/cpu/graphs/GraphMemory.h"

#include <algorithm>

using namespace echo::cpu;

static cudaError_t create(cudaGraph_t *Out, unsigned Flags) {
  if (!Out || Flags)
    return cudaErrorInvalidValue;
  *Out = publish(std::make_unique<Graph>(/*Private=*/false));
  return cudaSuccess;
}

static cudaError_t clone(cudaGraph_t *Out, cudaGraph_t Original) {
  const Graph *G = findGraph(Original);
  if (!Out || !G)
    return cudaErrorInvalidValue;
  if (hasMemory(*G))
    return cudaErrorNotSupported;
  *Out = publish(cloneGraph(*G, /*Private=*/false));
  return cudaSuccess;
}

static cudaError_t findInClone(cudaGraphNode_t *Out, cudaGraphNode_t Original,
                               cudaGraph_t Clone) {
  const GraphNode *N = findNode(Original);
  const Graph *G = findGraph(Clone);
  if (!Out || !N || !G)
    return cudaErrorInvalidValue;
  auto It = G->Clones.find(N->Id);
  if (It == G->Clones.end() || !findNode(handleOf(It->second)))
    return cudaErrorInvalidValue;
  *Out = handleOf(It->second);
  return cudaSuccess;
}

static std::vector<GraphNode *> allNodes(const Graph &G) {
  std::vector<GraphNode *> Nodes;
  for (auto &N : G.Nodes)
    Nodes.push_back(N.get());
  return Nodes;
}

/// Answers with the nodes that \p Choose finds.
template <typename Fn>
static cudaError_t listNodes(cudaGraph_t Handle, cudaGraphNode_t *Out,
                             size_t *Count, Fn Choose) {
  const Graph *G = findGraph(Handle);
  return G ? giveNodes(Choose(*G), Out, Count) : cudaErrorInvalidValue;
}

static std::vector<GraphNode *> rootsOf(const Graph &G) {
  std::vector<GraphNode *> Nodes = allNodes(G);
  std::erase_if(Nodes, [](const GraphNode *N) { return !N->Needs.empty(); });
  return Nodes;
}

static cudaError_t listEdges(cudaGraph_t Handle, cudaGraphNode_t *From,
                             cudaGraphNode_t *To, cudaGraphEdgeData *Data,
                             size_t *Count) {
  const Graph *G = findGraph(Handle);
  if (!G || !Count || !From != !To || (Data && !From))
    return cudaErrorInvalidValue;
  std::vector<GraphNode *> Begins, Ends;
  for (auto &N : G->Nodes)
    for (GraphNode *Before : N->Needs) {
      Begins.push_back(Before);
      Ends.push_back(N.get());
    }
  size_t Room = *Count;
  giveNodes(Begins, From, &Room);
  if (Data)
    std::fill_n(Data, Room, cudaGraphEdgeData{});
  return giveNodes(Ends, To, Count);
}

static cudaError_t listNeighbours(cudaGraphNode_t Handle, bool Users,
                                  cudaGraphNode_t *Out, cudaGraphEdgeData *Data,
                                  size_t *Count) {
  const GraphNode *N = findNode(Handle);
  if (!N || (Data && !Out))
    return cudaErrorInvalidValue;
  cudaError_t Error = giveNodes(Users ? N->Users : N->Needs, Out, Count);
  if (Error == cudaSuccess && Data)
    std::fill_n(Data, *Count, cudaGraphEdgeData{});
  return Error;
}

/// Adds or removes edges: all of them, or none.
static cudaError_t changeEdges(cudaGraph_t Handle, const cudaGraphNode_t *From,
                               const cudaGraphNode_t *To,
                               const cudaGraphEdgeData *Data, size_t Count,
                               bool Add) {
  const Graph *G = findGraph(Handle);
  if (!G || (Count && (!From || !To)))
    return cudaErrorInvalidValue;
  if (cudaError_t Error = checkEdgeData(Data, Count))
    return Error;
  // What is freed would be freed too early, or not at all.
  if (!Add && hasMemory(*G))
    return cudaErrorNotSupported;
  size_t Changed = 0;
  for (; Changed != Count; ++Changed) {
    GraphNode *A = findNode(From[Changed]), *B = findNode(To[Changed]);
    if (!A || !B || A->In != G || B->In != G || A == B || hasEdge(A, B) == Add)
      break;
    Add ? addEdge(A, B) : removeEdge(A, B);
  }
  if (Changed == Count)
    return cudaSuccess;
  while (Changed-- != 0) {
    GraphNode *A = findNode(From[Changed]), *B = findNode(To[Changed]);
    Add ? removeEdge(A, B) : addEdge(A, B);
  }
  return cudaErrorInvalidValue;
}

static cudaError_t typeOfNode(cudaGraphNode_t Handle, cudaGraphNodeType *Out) {
  const GraphNode *N = findNode(Handle);
  if (!N || !Out)
    return cudaErrorInvalidValue;
  *Out = typeOf(N->Work);
  return cudaSuccess;
}

// Before CUDA 13 these had no data of edges.
#if ECHO_CUDA_VERSION >= 13000
#define EDGE_DATA(Parameter) Parameter,
#else
#define EDGE_DATA(Parameter)
#define Data nullptr
#endif

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t *Out, unsigned Flags) {
  return graphApi([&] { return create(Out, Flags); });
}
cudaError_t cudaGraphDestroy(cudaGraph_t G) {
  return graphApi(
      [&] { return withdraw(G) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphClone(cudaGraph_t *Out, cudaGraph_t Original) {
  return graphApi([&] { return clone(Out, Original); });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *Out,
                                     cudaGraphNode_t Original,
                                     cudaGraph_t Clone) {
  return graphApi([&] { return findInClone(Out, Original, Clone); });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t N, cudaGraphNodeType *Out) {
  return graphApi([&] { return typeOfNode(N, Out); });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t G, cudaGraphNode_t *Out,
                              size_t *Count) {
  return graphApi([&] { return listNodes(G, Out, Count, allNodes); });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t G, cudaGraphNode_t *Out,
                                  size_t *Count) {
  return graphApi([&] { return listNodes(G, Out, Count, rootsOf); });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t G, cudaGraphNode_t *From,
                              cudaGraphNode_t *To,
                              EDGE_DATA(cudaGraphEdgeData *Data)
                                  size_t *Count) {
  return graphApi([&] { return listEdges(G, From, To, Data, Count); });
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t N,
                                         cudaGraphNode_t *Out,
                                         EDGE_DATA(cudaGraphEdgeData *Data)
                                             size_t *Count) {
  return graphApi([&] { return listNeighbours(N, false, Out, Data, Count); });
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t N,
                                           cudaGraphNode_t *Out,
                                           EDGE_DATA(cudaGraphEdgeData *Data)
                                               size_t *Count) {
  return graphApi([&] { return listNeighbours(N, true, Out, Data, Count); });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t G, const cudaGraphNode_t *From,
                                     const cudaGraphNode_t *To,
                                     EDGE_DATA(const cudaGraphEdgeData *Data)
                                         size_t Count) {
  return graphApi([&] { return changeEdges(G, From, To, Data, Count, true); });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t G,
                                        const cudaGraphNode_t *From,
                                        const cudaGraphNode_t *To,
                                        EDGE_DATA(const cudaGraphEdgeData *Data)
                                            size_t Count) {
  return graphApi([&] { return changeEdges(G, From, To, Data, Count, false); });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t Handle) {
  return graphApi([&] {
    GraphNode *N = findNode(Handle);
    if (!N)
      return cudaErrorInvalidValue;
    if (N->In->Captures)
      return cudaErrorIllegalState;
    if (hasMemory(*N->In))
      return cudaErrorNotSupported;
    N->In->remove(N);
    return cudaSuccess;
  });
}

} // extern "C"
