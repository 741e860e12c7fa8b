//===- Graph.h - Graphs: nodes and dependencies -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owns nodes and the edges between them, knows which handles are alive, finds
// an order that the edges allow, and copies graphs. It decides nothing about
// what nodes do. It must never look into what a handle points to before it
// knows that the handle is one. All of it is under the lock of graphs.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_GRAPH_H
#define ECHO_RUNTIME_CPU_GRAPHS_GRAPH_H

#include "runtime/cpu/Sanitizer.h"
#include "runtime/cpu/graphs/NodeWork.h"

#include <mutex>
#include <unordered_map>

namespace echo::cpu {

/// Guards graphs, nodes and captures; ThreadSanitizer does not see it.
class GraphLock {
public:
  GraphLock();

private:
  HideSync Hide;
  std::lock_guard<std::mutex> Guard;
};

struct GraphNode {
  Graph *In = nullptr;
  uint64_t Id = 0; ///< of no other node of this process
  NodeWork Work;
  std::vector<GraphNode *> Needs = {}; ///< in the order of the edges
  std::vector<GraphNode *> Users = {};
  void *Caller = nullptr; ///< where the program made it, for reports
  bool Enabled = true;    ///< in a graph that was instantiated
};

/// From the number of a node to the node that was made from it.
using CloneMap = std::unordered_map<uint64_t, GraphNode *>;

struct Graph {
  std::vector<std::unique_ptr<GraphNode>> Nodes;
  CloneMap Clones;       ///< of a clone: its nodes by those of the original
  bool Captures = false; ///< a stream is captured into it: nothing may go
  bool Top = false;      ///< the program may destroy it
  bool Private = false;  ///< no handle names it or its nodes

  explicit Graph(bool Private);
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  GraphNode *add(NodeWork Work, const std::vector<GraphNode *> &Needs);
  void remove(GraphNode *N);
};

/// Hands \p G to the program, which may destroy it from then on.
cudaGraph_t publish(std::unique_ptr<Graph> G);
/// Takes a graph back from the program; null if the handle names none that it
/// may destroy.
std::unique_ptr<Graph> withdraw(cudaGraph_t Handle);
Graph *findGraph(cudaGraph_t Handle);
GraphNode *findNode(cudaGraphNode_t Handle);
inline cudaGraph_t handleOf(const Graph *G) {
  return reinterpret_cast<cudaGraph_t>(const_cast<Graph *>(G));
}
inline cudaGraphNode_t handleOf(const GraphNode *N) {
  return reinterpret_cast<cudaGraphNode_t>(const_cast<GraphNode *>(N));
}

bool hasEdge(const GraphNode *From, const GraphNode *To);
void addEdge(GraphNode *From, GraphNode *To);
void removeEdge(GraphNode *From, GraphNode *To);

/// The nodes, each after those it needs; fewer than there are where the edges
/// form a circle.
std::vector<GraphNode *> inOrder(const Graph &G);
/// A node of a circle; null if there is none.
GraphNode *findCircle(const Graph &G);

/// A copy of all nodes and edges; \p Clones, of all levels, goes with it.
std::unique_ptr<Graph> cloneGraph(const Graph &G, bool Private);
/// Adds the nodes of all levels of \p G, by those they were cloned from.
void collectClones(const Graph &G, CloneMap &Out);

} // namespace echo::cpu

#endif
