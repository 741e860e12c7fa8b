// A kernel node that a helper makes writes the upload's destination: the host's
// source must stay as it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
#include "e2e.h"

static cudaGraphExec_t exec;

__attribute__((noinline)) static void build(float *d) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  int n = N;
  float by = 5.0f;
  void *arguments[] = {&d, &n, &by};
  cudaKernelNodeParams params = {};
  params.func = (void *)addInPlace;
  params.gridDim = dim3(Blocks);
  params.blockDim = dim3(Threads);
  params.kernelParams = arguments;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
}

__attribute__((noinline)) static void fire() {
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaStreamSynchronize(nullptr));
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx, first;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  build(dx);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  fire();
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(&first, dx, sizeof(first), cudaMemcpyDeviceToHost));
  printf("%.0f\n", first);
  cudaGraphExecDestroy(exec);
  cudaFree(dx);
  free(hx);
}
