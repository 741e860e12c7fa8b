// A graph calls a function of the host that writes the upload's source, before the
// kernel reads the destination.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
// EXPECT: hy dy declined stream-capture
#include "e2e.h"

static cudaGraphExec_t exec;
static float *hx;

static void onHost(void *) { hx[3] = 99; }

__attribute__((noinline)) static void build() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaHostNodeParams params = {onHost, nullptr};
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &params));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
}

__attribute__((noinline)) static void fire() {
  CHECK(cudaGraphLaunch(exec, nullptr));
}

int main() {
  float *hy = (float *)malloc(Bytes), *dx, *dy;
  hx = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  build();
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
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
