//===- Exec.h - Graphs that can be launched ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph as it was when it was instantiated. A launch is one piece of work of
// its stream: nodes go to lanes, streams of the graph's own, and wait for each
// other as streams do by events. So each schedule, and ThreadSanitizer, sees
// what the edges leave open. It must never order two nodes that they do not,
// nor let two launches of one graph overlap. Under the lock of graphs.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_EXEC_H
#define ECHO_RUNTIME_CPU_GRAPHS_EXEC_H

#include "runtime/cpu/Streams.h"
#include "runtime/cpu/graphs/Graph.h"

namespace echo::cpu {

/// One operation of a launch.
struct Step {
  GraphNode *Node;           ///< null: begins or ends a child
  std::vector<size_t> Needs; ///< earlier steps
  size_t Lane = 0;
  bool Last = true; ///< no step needs it
};

struct Exec {
  std::unique_ptr<Graph> Body;
  CloneMap NodeOf; ///< of all levels, by nodes of the original
  unsigned long long Flags = 0;
  std::vector<Step> Steps;
  std::vector<Stream *> Lanes;
  OpRef Last; ///< the end of the last launch

  ~Exec();
};

/// Copies \p G, which has no circle.
cudaGraphExec_t instantiate(const Graph &G, unsigned long long Flags);
Exec *findExec(cudaGraphExec_t Handle);
/// The copy of an original's node; null if there is none.
GraphNode *nodeIn(Exec &X, cudaGraphNode_t Original);
/// Work that is queued still runs.
bool destroyExec(cudaGraphExec_t Handle);
void launchExec(Exec &X, Stream &S);
/// Queues nothing but the order: after all launches before it.
void orderAfterLaunches(Exec &X, Stream &S);

/// Steps of all nodes, children's among them, each after those it needs.
std::vector<Step> planSteps(const Graph &G);
/// Gives each step a lane, in which it follows one that it needs; returns how
/// many there are.
size_t assignLanes(std::vector<Step> &Steps);

} // namespace echo::cpu

#endif
