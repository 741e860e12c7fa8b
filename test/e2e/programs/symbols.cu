// Constant memory and device globals next to a pair.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__constant__ float Factors[4];
__device__ unsigned Count;

__global__ void apply(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] *= Factors[i % 4];
    if (data[i] > 100)
      atomicAdd(&Count, 1u);
  }
}

int main() {
  float factors[4] = {1, 2, 3, 4};
  unsigned count = 0;
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyToSymbol(Factors, factors, sizeof(factors)));
  CHECK(cudaMemcpyToSymbol(Count, &count, sizeof(count)));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  apply<<<Blocks, Threads>>>(dx, N);
  CHECK(cudaMemcpyFromSymbol(&count, Count, sizeof(count)));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%u %.0f\n", count, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
