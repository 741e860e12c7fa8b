//===- Edges.h - Dependencies as programs give and get them -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a list of nodes may be what a node of a graph needs, and
// fills in lists for the program. It adds no edge. Under the lock of graphs.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_EDGES_H
#define ECHO_RUNTIME_CPU_GRAPHS_EDGES_H

#include "runtime/cpu/graphs/Graph.h"

namespace echo::cpu {

/// An array of nodes, with what is said of the edges from them.
struct NodeList {
  const cudaGraphNode_t *Nodes;
  const cudaGraphEdgeData *Edges;
  size_t Count;
};

/// Only full dependencies are served: cudaErrorNotSupported for those that a
/// kernel lifts before its end.
cudaError_t checkEdgeData(const cudaGraphEdgeData *Edges, size_t Count);
/// The nodes of \p G that a list names; none may be there twice.
cudaError_t nodesOf(const Graph &G, NodeList List,
                    std::vector<GraphNode *> &Out);
/// Writes nodes to an array of the program's with room for *Count, and how many
/// there were; without an array, how many there are.
cudaError_t giveNodes(const std::vector<GraphNode *> &Nodes,
                      cudaGraphNode_t *Out, size_t *Count);

} // namespace echo::cpu

#endif
