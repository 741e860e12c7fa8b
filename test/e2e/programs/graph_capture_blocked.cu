// A stream is captured with the upload in it: each launch of the graph copies what
// the source then holds. A helper launches the graph.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined stream-capture
// EXPECT: hy dy declined stream-capture
#include "e2e.h"

int main() {
  float *hx, *hy, *dx, *dy;
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMallocHost(&hy, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaStreamCreate(&s));
  fill(hx, N, 1);
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
  addInPlace<<<Blocks, Threads, 0, s>>>(dx, N, 1.0f);
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaMemcpyAsync(hy, dy, Bytes, cudaMemcpyDeviceToHost, s));
  CHECK(cudaStreamEndCapture(s, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int turn = 1; turn != 4; ++turn) {
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
    fill(hx, N, turn);
  }
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
  cudaFree(dx);
  cudaFree(dy);
  cudaFreeHost(hx);
  cudaFreeHost(hy);
}
