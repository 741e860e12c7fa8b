//===- graphs.cu - What graphs order --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph orders its nodes by its edges alone, and as a whole it is work of the
// stream in which it is launched.
//
//===----------------------------------------------------------------------===//
// SANITIZE: thread
// FLAGS: -O0
#include "cases.h"

static cudaGraphExec_t made(cudaGraph_t G) {
  cudaGraphExec_t X;
  CHECK(cudaGraphInstantiate(&X, G, 0));
  CHECK(cudaGraphDestroy(G));
  return X;
}

/// Captures what \p Work queues in a stream.
template <typename Fn> static cudaGraphExec_t captured(Fn Work) {
  cudaStream_t S = nonBlocking();
  cudaGraph_t G;
  CHECK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  Work(S);
  CHECK(cudaStreamEndCapture(S, &G));
  return made(G);
}

// Two branches of a fork, with and without an edge between them.
static long branches() {
  int *D = device(1);
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  cudaEvent_t Fork = event(), First = event(), Join = event();
  cudaGraph_t G;
  CHECK(cudaStreamBeginCapture(A, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(Fork, A));
  CHECK(cudaStreamWaitEvent(B, Fork, 0));
  addOne ON(A)(D); // HERE
  CHECK(cudaEventRecord(First, A));
  SAFE(CHECK(cudaStreamWaitEvent(B, First, 0)));
  addOne ON(B)(D); // HERE
  CHECK(cudaEventRecord(Join, B));
  CHECK(cudaStreamWaitEvent(A, Join, 0));
  CHECK(cudaStreamEndCapture(A, &G));
  CHECK(cudaGraphLaunch(made(G), A));
  CHECK(cudaStreamSynchronize(A));
  return content(D);
}

// Nodes made by hand.
static long edges() {
  int *D = device(1), *E = device(2);
  cudaStream_t S = nonBlocking();
  cudaGraph_t G;
  cudaGraphNode_t First, Second;
  CHECK(cudaGraphCreate(&G, 0));
  const auto Way = cudaMemcpyDeviceToDevice;
  CHECK(cudaGraphAddMemcpyNode1D(&First, G, 0, 0, D, E, Bytes, Way)); // HERE
  cudaMemsetParams P = {};
  P.dst = D;
  P.elementSize = 1;
  P.width = Bytes;
  P.height = 1;
  CHECK(cudaGraphAddMemsetNode(&Second, G, nullptr, 0, &P)); // HERE
  SAFE(CHECK(cudaGraphAddDependencies(G, &First, &Second, nullptr, 1)));
  CHECK(cudaGraphLaunch(made(G), S));
  CHECK(cudaStreamSynchronize(S));
  return content(D);
}

// The host, and the stream of the launch.
static long hostWaits() {
  int *H = pinned(), *D = device(1);
  cudaStream_t S = nonBlocking(), Other = nonBlocking();
  cudaGraphExec_t X = captured([=](cudaStream_t C) {
    transfer ON(C)(H, D); // HERE
  });
  CHECK(cudaGraphLaunch(X, S));
  letRun();
  SAFE(CHECK(cudaStreamSynchronize(S)));
  UNSAFE(CHECK(cudaStreamSynchronize(Other)));
  return sum(H); // HERE
}

// Work after the launch, in its stream and in another one.
static long streamFollows() {
  int *D = device(1), *E = device(1);
  cudaStream_t S = nonBlocking(), Other = nonBlocking();
  (void)Other;
  cudaGraphExec_t X = captured([=](cudaStream_t C) {
    addOne ON(C)(D); // HERE
  });
  addOne ON(S)(E); // before the launch, where nobody else is
  CHECK(cudaGraphLaunch(X, S));
  letRun();
  SAFE(addOne ON(S)(D));
  UNSAFE(addOne ON(Other)(D)); // HERE
  return content(D);
}

// Launches of one graph follow each other in whatever stream; those of two not.
static long launches() {
  int *D = device(1);
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  auto Work = [=](cudaStream_t C) {
    addOne ON(C)(D); // HERE
  };
  cudaGraphExec_t X = captured(Work), Y = captured(Work);
  (void)Y;
  CHECK(cudaGraphLaunch(X, A));
  letRun();
  SAFE(CHECK(cudaGraphLaunch(X, B)));
  UNSAFE(CHECK(cudaGraphLaunch(Y, B)));
  return content(D);
}

// An event that a node records stands for what the node follows, not for all.
static long recordNode() {
  int *H = pinned(), *K = pinned(), *D = device(1);
  cudaStream_t S = nonBlocking();
  cudaEvent_t E = event();
  cudaGraphExec_t X = captured([=](cudaStream_t C) {
    transfer ON(C)(H, D);
    CHECK(cudaEventRecordWithFlags(E, C, cudaEventRecordExternal));
    transfer ON(C)(K, D); // HERE
  });
  CHECK(cudaGraphLaunch(X, S));
  letRun();
  CHECK(cudaEventSynchronize(E));
  SAFE(return sum(H) + content(D));
  UNSAFE(return sum(K)); // HERE
}

// A host function that is a node, and what follows it.
static int *OfHost;
static void onHost(void *) { set(OfHost, 5); }
static long hostNode() {
  int *D = device(1);
  cudaStream_t S = nonBlocking(), Other = nonBlocking();
  (void)Other;
  OfHost = pinned();
  cudaGraphExec_t X = captured([=](cudaStream_t C) {
    CHECK(cudaLaunchHostFunc(C, onHost, nullptr)); // HERE
  });
  CHECK(cudaGraphLaunch(X, S));
  letRun();
  SAFE(transfer ON(S)(D, OfHost));
  UNSAFE(transfer ON(Other)(D, OfHost)); // HERE
  return content(D);
}

CASES(CASE(branches), CASE(edges), CASE(hostWaits), CASE(streamFollows),
      CASE(launches), CASE(recordNode), CASE(hostNode))
