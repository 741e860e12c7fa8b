// As size_by_host_func, but nobody changes the size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

static int count = N;
__device__ volatile int gate;

__global__ void waitForGate() {
  while (!gate)
    ;
}
__global__ void openGate() { gate = 1; }

int main() {
  float *hx, *dx;
  cudaStream_t s, t;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  waitForGate<<<1, 1, 0, s>>>();
  int all = count;
  hx = (float *)malloc(count * sizeof(float));
  CHECK(cudaMalloc(&dx, count * sizeof(float)));
  fill(hx, all, 1);
  CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaStreamSynchronize(0));
  openGate<<<1, 1, 0, t>>>();
  CHECK(cudaStreamSynchronize(t));
  CHECK(cudaStreamSynchronize(s));
  addInPlace<<<Blocks, Threads, 0, t>>>(dx, N, 1.0f);
  CHECK(cudaStreamSynchronize(t));
  CHECK(cudaMemcpy(hx, dx, count * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", count, sum(hx, all));
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  free(hx);
}
