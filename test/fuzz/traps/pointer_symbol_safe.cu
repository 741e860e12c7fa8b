// As pointer_symbol_blocked, but a number goes into the device global.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__device__ int Step;
__global__ void addStep(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += Step;
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  int step = 3;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpyToSymbol(Step, &step, sizeof(step)));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addStep<<<Blocks, Threads>>>(dx, N);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
