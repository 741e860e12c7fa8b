//===- GraphMemory.h - Memory that a graph allocates ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cudaMallocAsync and cudaFreeAsync in a captured stream make: memory with
// one address in all launches, whose content ends with each. Served is memory
// that the same graph frees. It must never go back to the system while work
// that may use it is queued: the node that frees it holds it until then.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_GRAPHMEMORY_H
#define ECHO_RUNTIME_CPU_GRAPHS_GRAPHMEMORY_H

#include "runtime/cpu/graphs/Graph.h"

namespace echo::cpu {

struct GraphMemory {
  void *Base;
  size_t Bytes;
  bool Freed = false;      ///< a node frees it
  bool Launchable = false; ///< a graph with it can be launched

  GraphMemory(void *Base, size_t Bytes);
  ~GraphMemory();
  GraphMemory(const GraphMemory &) = delete;
  GraphMemory &operator=(const GraphMemory &) = delete;
};

/// The memory of \p G that begins at \p Base and that no node frees; or null.
std::shared_ptr<GraphMemory> unfreedAt(const Graph &G, const void *Base);
bool hasMemory(const Graph &G);
/// Refuses memory that outlives a launch, and a second graph with the same one.
cudaError_t checkMemory(const Graph &G);
/// A graph with the memory can be launched, or no more.
void setLaunchable(const Graph &G, bool Launchable);

/// Its life in one launch begins: it holds what fresh memory does.
Op *makeAllocOp(const AllocWork &W);
/// It ends.
Op *makeFreeOp(const FreeWork &W);

} // namespace echo::cpu

#endif
