//===- graph_memory.cu - Memory of graphs ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph's nodes use must be there when they run, not when they are made.
// Graphs that are destroyed, or left to the end of the program, leak nothing.
//
//===----------------------------------------------------------------------===//
// SANITIZE: address,undefined
// FLAGS: -O1
#include "cases.h"

__global__ void increase(int *P) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    ++P[I]; // PLACE: increase
}

static cudaGraphExec_t captured(int *D, int *H, cudaStream_t S) {
  cudaGraph_t G;
  cudaGraphExec_t X;
  CHECK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  increase ON(S)(D); // AT: increase
  CHECK(cudaMemcpyAsync(H, D, Bytes, cudaMemcpyDeviceToHost, S));
  CHECK(cudaStreamEndCapture(S, &G));
  CHECK(cudaGraphInstantiate(&X, G, 0));
  CHECK(cudaGraphDestroy(G));
  return X;
}

static long usedAfterFree() {
  int *D = device(1), *H = static_cast<int *>(malloc(Bytes));
  cudaStream_t S = blocking();
  cudaGraphExec_t X = captured(D, H, S);
  UNSAFE(CHECK(cudaFree(D)));
  CHECK(cudaGraphLaunch(X, S));
  CHECK(cudaStreamSynchronize(S));
  SAFE(CHECK(cudaFree(D)));
  long Total = sum(H);
  CHECK(cudaGraphExecDestroy(X));
  CHECK(cudaStreamDestroy(S));
  free(H);
  return Total;
}

// Memory of the graph's own.
static long ownMemory() {
  int *P, *H = pinned();
  cudaStream_t S = blocking();
  cudaGraph_t G;
  cudaGraphExec_t X;
  CHECK(cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&P, Bytes, S));
  fill ON(S)(P, 3);
  CHECK(cudaMemcpyAsync(H, P, Bytes, cudaMemcpyDeviceToHost, S));
  CHECK(cudaFreeAsync(P, S));
  UNSAFE(increase ON(S)(P)); // AT: increase
  CHECK(cudaStreamEndCapture(S, &G));
  CHECK(cudaGraphInstantiate(&X, G, 0));
  for (int I = 0; I != 2; ++I)
    CHECK(cudaGraphLaunch(X, S));
  CHECK(cudaStreamSynchronize(S));
  long Total = sum(H);
  CHECK(cudaGraphExecDestroy(X));
  CHECK(cudaGraphDestroy(G));
  CHECK(cudaStreamDestroy(S));
  CHECK(cudaFreeHost(H));
  return Total;
}

CASES(CASE(usedAfterFree), CASE(ownMemory))
