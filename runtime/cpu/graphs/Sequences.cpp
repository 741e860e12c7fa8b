//===- Sequences.cpp - What is being captured -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Begins, joins and ends captures. See Sequences.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Sequences.h"
#include "runtime/cpu/graphs/Capture.h"

#include <algorithm>
#include <unordered_set>

namespace echo::cpu {

std::atomic<unsigned> CapturedStreams{0};
thread_local cudaStreamCaptureMode ThreadMode = cudaStreamCaptureModeGlobal;

std::vector<std::shared_ptr<Sequence>> &sequences() {
  static auto *All = new std::vector<std::shared_ptr<Sequence>>;
  return *All;
}

static void addUnique(std::vector<GraphNode *> &To,
                      const std::vector<GraphNode *> &Nodes) {
  for (GraphNode *N : Nodes)
    if (std::find(To.begin(), To.end(), N) == To.end())
      To.push_back(N);
}

void joinCapture(Stream &S, const std::shared_ptr<Sequence> &Of,
                 const std::vector<GraphNode *> &Next) {
  Captured *C = captureOf(S);
  if (!C) {
    C = new Captured{Of};
    Of->Streams.push_back(&S);
    S.Capture.store(C, std::memory_order_release);
    CapturedStreams.fetch_add(1);
  }
  addUnique(C->Next, Next);
}

static void leave(Stream &S) {
  delete S.Capture.exchange(nullptr);
  CapturedStreams.fetch_sub(1);
}

cudaError_t beginCapture(Stream &S, cudaStreamCaptureMode Mode, Graph *Into,
                         const std::vector<GraphNode *> &Next) {
  static uint64_t NextId = 1;
  if (S.Legacy)
    return cudaErrorStreamCaptureUnsupported;
  if (captureOf(S))
    return cudaErrorIllegalState;
  auto Q = std::make_shared<Sequence>();
  Q->Id = NextId++;
  if (!Into)
    Q->Owned = std::make_unique<Graph>(/*Private=*/false);
  Q->Into = Into ? Into : Q->Owned.get();
  Q->Into->Captures = true;
  Q->Mode = Mode;
  Q->Thread = pthread_self();
  Q->Origin = &S;
  sequences().push_back(Q);
  joinCapture(S, Q, Next);
  return cudaSuccess;
}

/// True if all that the other streams hold is needed by what the first holds.
static bool isJoined(const Sequence &Q) {
  std::vector<GraphNode *> Work = captureOf(*Q.Origin)->Next;
  std::unordered_set<GraphNode *> Seen(Work.begin(), Work.end());
  while (!Work.empty()) {
    GraphNode *N = Work.back();
    Work.pop_back();
    for (GraphNode *Before : N->Needs)
      if (Seen.insert(Before).second)
        Work.push_back(Before);
  }
  for (const Stream *S : Q.Streams)
    for (GraphNode *N : captureOf(*S)->Next)
      if (!Seen.count(N))
        return false;
  return true;
}

/// No stream is captured by \p Q any more; events of it are stale.
static void endSequence(const std::shared_ptr<Sequence> &Q) {
  for (Stream *S : Q->Streams)
    leave(*S);
  Q->Streams.clear();
  Q->Over = true;
  Q->Into->Captures = false;
  std::erase(sequences(), Q);
}

cudaError_t endCapture(Stream &S, cudaGraph_t &Out) {
  Out = nullptr;
  Captured *C = captureOf(S);
  if (!C)
    return cudaErrorIllegalState;
  std::shared_ptr<Sequence> Q = C->Of;
  if (Q->Origin != &S) {
    Q->Invalid = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  cudaError_t Error = cudaSuccess;
  if (Q->Mode != cudaStreamCaptureModeRelaxed &&
      !pthread_equal(Q->Thread, pthread_self()))
    Error = cudaErrorStreamCaptureWrongThread;
  else if (Q->Invalid)
    Error = cudaErrorStreamCaptureInvalidated;
  else if (!isJoined(*Q))
    Error = cudaErrorStreamCaptureUnjoined;
  endSequence(Q);
  if (Error != cudaSuccess) {
    // Also a graph that the program gave ends so (seen on an H200).
    Q->Owned.reset();
    if (Q->Into)
      withdraw(handleOf(Q->Into));
  } else if (Q->Owned) {
    Out = publish(std::move(Q->Owned));
  } else {
    Out = handleOf(Q->Into);
  }
  Q->Into = nullptr;
  return Error;
}

void dropCapture(Stream &S) {
  if (!isCapturing(S))
    return;
  GraphLock Lock;
  Captured *C = captureOf(S);
  if (!C)
    return;
  std::shared_ptr<Sequence> Q = C->Of;
  if (Q->Origin == &S) {
    endSequence(Q);
    Q->Owned.reset();
    Q->Into = nullptr;
    return;
  }
  Q->Invalid = true;
  std::erase(Q->Streams, &S);
  leave(S);
}

void dropAllCaptures() {
  if (!anyCapture())
    return;
  GraphLock Lock;
  while (!sequences().empty()) {
    std::shared_ptr<Sequence> Q = sequences().back();
    endSequence(Q);
    Q->Owned.reset();
    Q->Into = nullptr;
  }
}

bool invalidateBlocking() {
  bool Any = false;
  for (auto &Q : sequences())
    if (std::any_of(Q->Streams.begin(), Q->Streams.end(),
                    [](const Stream *S) { return S->Blocking; }))
      Any = Q->Invalid = true;
  return Any;
}

} // namespace echo::cpu
