// What programs of stream captures share: the streams, the events, and what a
// capture's end prints. Decides nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ECHO_TEST_E2E_GRAPH_CAPTURES_H
#define ECHO_TEST_E2E_GRAPH_CAPTURES_H

#include "graph_calls.h"
#include <vector>

static cudaStream_t st(bool nb = false) {
  cudaStream_t s;
  if (cudaStreamCreateWithFlags(&s, nb ? cudaStreamNonBlocking : 0))
    exit(9);
  return s;
}
static cudaEvent_t ev() {
  cudaEvent_t e;
  if (cudaEventCreateWithFlags(&e, cudaEventDisableTiming))
    exit(9);
  return e;
}
static cudaGraph_t G;
static void nodes(cudaGraph_t g) {
  if (!g) {
    printf("  no graph\n");
    return;
  }
  size_t n = 0, m = 0;
  cudaGraphGetNodes(g, 0, &n);
  cudaGraphGetEdges(g, 0, 0, 0, &m);
  printf("  %zu nodes %zu edges:", n, m);
  std::vector<cudaGraphNode_t> v(n);
  cudaGraphGetNodes(g, v.data(), &n);
  for (auto x : v) {
    cudaGraphNodeType t;
    cudaGraphNodeGetType(x, &t);
    printf(" %d", t);
  }
  printf("\n");
}
static void end(cudaStream_t s) {
  G = (cudaGraph_t)1;
  cudaError_t e = cudaStreamEndCapture(s, &G);
  printf("  end: %s %s\n", e ? cudaGetErrorName(e) : "ok",
         G == (cudaGraph_t)1 ? "untouched"
         : G                 ? "graph"
                             : "null");
  cudaGetLastError();
  if (G && G != (cudaGraph_t)1)
    nodes(G);
}
#define BEGIN(s, m)                                                            \
  do {                                                                         \
    cudaError_t e_ = cudaStreamBeginCapture(s, cudaStreamCaptureMode##m);      \
    if (e_)                                                                    \
      printf("  begin: %s\n", cudaGetErrorName(e_));                           \
  } while (0)
static void status(cudaStream_t s) {
  cudaStreamCaptureStatus c = (cudaStreamCaptureStatus)9;
  cudaError_t e = cudaStreamIsCapturing(s, &c);
  printf("  status %s %d\n", e ? cudaGetErrorName(e) : "ok", e ? 0 : c);
  cudaGetLastError();
}
static cudaStream_t a, b, nb;
static cudaEvent_t e1, e2;

static void setUp() {
  NEED(cudaMalloc(&D, 4096));
  NEED(cudaMalloc(&D2, 4096));
  NEED(cudaMallocHost(&H, 4096));
  cudaMemset(D, 0, 4096);
  cudaDeviceSynchronize();
  add<<<1, 1>>>(D, 0);
  cudaDeviceSynchronize();
  a = st();
  b = st();
  nb = st(true);
  e1 = ev();
  e2 = ev();
}

#endif
