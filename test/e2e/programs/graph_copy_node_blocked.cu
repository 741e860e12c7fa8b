// A graph that a helper makes copies the upload's source to its destination again,
// whenever it is launched: with one buffer for both, the kernel's sums would stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
// EXPECT: hy dy declined stream-capture
#include "e2e.h"

static cudaGraphExec_t exec;

__attribute__((noinline)) static void build(float *d, const float *h) {
  cudaGraph_t graph;
  cudaGraphNode_t copy;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, d, h, Bytes,
                                 cudaMemcpyHostToDevice));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
}

__attribute__((noinline)) static void fire() {
  CHECK(cudaGraphLaunch(exec, nullptr));
}

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  build(dx, hx);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  fire();
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaGraphExecDestroy(exec);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
