//===- Sequences.h - What is being captured ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One capture: from cudaStreamBeginCapture to cudaStreamEndCapture, in all
// streams that joined it by events. Decides who may end it, and whether its
// work is joined. Under the lock of graphs.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_SEQUENCES_H
#define ECHO_RUNTIME_CPU_GRAPHS_SEQUENCES_H

#include "runtime/cpu/Streams.h"
#include "runtime/cpu/graphs/Graph.h"

#include <pthread.h>

namespace echo::cpu {

struct Sequence {
  uint64_t Id = 0; ///< of no other capture of this process
  Graph *Into = nullptr;
  std::unique_ptr<Graph> Owned; ///< Into, where the program did not give it
  cudaStreamCaptureMode Mode = cudaStreamCaptureModeGlobal;
  pthread_t Thread = {};
  Stream *Origin = nullptr;
  bool Invalid = false;
  bool Over = false;
  std::vector<Stream *> Streams = {};
};

/// What a captured stream knows: Stream::Capture.
struct Captured {
  std::shared_ptr<Sequence> Of;
  /// What the next node will need. Handed to the program as an array.
  std::vector<GraphNode *> Next = {};
  std::vector<cudaGraphEdgeData> Edges = {}; ///< likewise
};

/// Those that have not been ended.
std::vector<std::shared_ptr<Sequence>> &sequences();
inline Captured *captureOf(const Stream &S) {
  return S.Capture.load(std::memory_order_relaxed);
}

cudaError_t beginCapture(Stream &S, cudaStreamCaptureMode Mode, Graph *Into,
                         const std::vector<GraphNode *> &Next);
/// Ends the capture of \p S; \p Out gets the graph, or null.
cudaError_t endCapture(Stream &S, cudaGraph_t &Out);
/// \p S becomes a part of \p Of; its next node needs \p Next, too.
void joinCapture(Stream &S, const std::shared_ptr<Sequence> &Of,
                 const std::vector<GraphNode *> &Next);
/// All that a blocking stream is captured into becomes invalid; false if there
/// is none.
bool invalidateBlocking();

/// The calling thread's mode.
extern thread_local cudaStreamCaptureMode ThreadMode;

} // namespace echo::cpu

#endif
