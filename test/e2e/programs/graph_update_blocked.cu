// A graph is made for another buffer and then aimed at the upload's destination: by
// new parameters of its node, and by an update from a captured graph.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
// EXPECT: hy dy declined
#include "e2e.h"

static cudaGraph_t graph;
static cudaGraphNode_t node;
static cudaGraphExec_t exec;
static float *scratch;

static cudaKernelNodeParams paramsOf(void **arguments) {
  cudaKernelNodeParams params = {};
  params.func = (void *)addInPlace;
  params.gridDim = dim3(Blocks);
  params.blockDim = dim3(Threads);
  params.kernelParams = arguments;
  return params;
}

__attribute__((noinline)) static void build() {
  int n = N;
  float by = 5.0f;
  CHECK(cudaMalloc(&scratch, Bytes));
  CHECK(cudaMemset(scratch, 0, Bytes));
  void *arguments[] = {&scratch, &n, &by};
  cudaKernelNodeParams params = paramsOf(arguments);
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
}

__attribute__((noinline)) static void aim(float *d) {
  int n = N;
  float by = 7.0f;
  void *arguments[] = {&d, &n, &by};
  cudaKernelNodeParams params = paramsOf(arguments);
  CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &params));
}

__attribute__((noinline)) static void update(float *d) {
  cudaStream_t s;
  cudaGraph_t other;
  cudaGraphExecUpdateResultInfo result;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  addInPlace<<<Blocks, Threads, 0, s>>>(d, N, 9.0f);
  CHECK(cudaStreamEndCapture(s, &other));
  CHECK(cudaGraphExecUpdate(exec, other, &result));
  CHECK(cudaGraphDestroy(other));
  CHECK(cudaStreamDestroy(s));
}

__attribute__((noinline)) static void fire() {
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
}

static void byParams() {
  float *hx = (float *)malloc(Bytes), *dx, first;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  aim(dx);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  fire();
  CHECK(cudaMemcpy(&first, dx, sizeof(first), cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), first);
  cudaFree(dx);
  free(hx);
}

static void byUpdate() {
  float *hy = (float *)malloc(Bytes), *dy, first;
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hy, N, 2);
  update(dy);
  CHECK(cudaMemcpy(dy, hy, Bytes, cudaMemcpyHostToDevice));
  fire();
  CHECK(cudaMemcpy(&first, dy, sizeof(first), cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hy, N), first);
  cudaFree(dy);
  free(hy);
}

int main() {
  build();
  fire();
  byParams();
  byUpdate();
  float value;
  CHECK(cudaMemcpy(&value, scratch, sizeof(value), cudaMemcpyDeviceToHost));
  printf("%.0f\n", value);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(scratch);
}
