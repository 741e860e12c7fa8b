// A graph works on buffers of its own, in functions of its own, before, between and
// after the work on pairs: these merge.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

struct Runner {
  float *d;
  cudaStream_t s;
  cudaGraphExec_t exec;
  Runner() {
    cudaGraph_t graph;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMalloc(&d, Bytes));
    CHECK(cudaMemset(d, 0, Bytes));
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    addInPlace<<<Blocks, Threads, 0, s>>>(d, N, 1.0f);
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
  }
  void run() { CHECK(cudaGraphLaunch(exec, s)); }
  ~Runner() {
    cudaGraphExecDestroy(exec);
    cudaFree(d);
    cudaStreamDestroy(s);
  }
};

static double work(int seed) {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, seed);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  double total = sum(hy, N);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
  return total;
}

int main() {
  Runner runner;
  runner.run();
  printf("%.0f\n", work(1));
  runner.run();
  printf("%.0f\n", work(2));
  float value;
  CHECK(cudaStreamSynchronize(runner.s));
  CHECK(cudaMemcpy(&value, runner.d, sizeof(value), cudaMemcpyDeviceToHost));
  printf("%.0f\n", value);
}
