//===- Updates.h - Changes of graphs that can be launched -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which work may take the place of a node's in a graph that was
// instantiated, and whether another graph has the same shape. It must never
// change a part of a graph and then refuse. Under the lock of graphs.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_UPDATES_H
#define ECHO_RUNTIME_CPU_GRAPHS_UPDATES_H

#include "runtime/cpu/graphs/Exec.h"

namespace echo::cpu {

/// Gives \p N of a graph that can be launched other work.
cudaError_t updateNode(GraphNode *N, NodeWork Work);

/// Gives all nodes of \p Body the work of those of \p From, if both have the
/// same nodes and edges; else says why not.
cudaGraphExecUpdateResultInfo updateGraph(Graph &Body, const Graph &From);

} // namespace echo::cpu

#endif
