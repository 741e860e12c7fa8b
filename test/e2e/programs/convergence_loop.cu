// The host looks at the result of every step and stops when it is good enough.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__global__ void halve(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = floorf(data[i] / 2);
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  int steps = 0;
  while (true) {
    halve<<<Blocks, Threads>>>(dx, N);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    ++steps;
    if (sum(hx, N) < 100000)
      break;
  }
  printf("%d %.0f\n", steps, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
