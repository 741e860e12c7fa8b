//===- Edges.cpp - Dependencies as programs give and get them -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes lists of nodes. See Edges.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Edges.h"

#include <algorithm>

namespace echo::cpu {

cudaError_t checkEdgeData(const cudaGraphEdgeData *Edges, size_t Count) {
  for (size_t I = 0; Edges && I != Count; ++I) {
    const cudaGraphEdgeData &E = Edges[I];
    auto isSet = [](unsigned char Byte) { return Byte != 0; };
    if (E.to_port || E.from_port > 2 || E.type > 1 ||
        std::any_of(E.reserved, std::end(E.reserved), isSet))
      return cudaErrorInvalidValue;
    if (E.from_port || E.type)
      return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

cudaError_t nodesOf(const Graph &G, NodeList List,
                    std::vector<GraphNode *> &Out) {
  if (List.Count && !List.Nodes)
    return cudaErrorInvalidValue;
  for (size_t I = 0; I != List.Count; ++I) {
    GraphNode *N = findNode(List.Nodes[I]);
    if (!N || N->In != &G || std::find(Out.begin(), Out.end(), N) != Out.end())
      return cudaErrorInvalidValue;
    Out.push_back(N);
  }
  return checkEdgeData(List.Edges, List.Count);
}

cudaError_t giveNodes(const std::vector<GraphNode *> &Nodes,
                      cudaGraphNode_t *Out, size_t *Count) {
  if (!Count)
    return cudaErrorInvalidValue;
  if (!Out) {
    *Count = Nodes.size();
    return cudaSuccess;
  }
  for (size_t I = 0; I != *Count; ++I)
    Out[I] = I < Nodes.size() ? handleOf(Nodes[I]) : nullptr;
  *Count = std::min(*Count, Nodes.size());
  return cudaSuccess;
}

} // namespace echo::cpu
