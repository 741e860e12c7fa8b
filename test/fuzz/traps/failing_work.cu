// A kernel fails, and the free of the device buffer is the first call that says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// EXIT: 1
#include "e2e.h"

__global__ void check(const float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && d[i] < 0)
    __trap();
}

int main() {
  float *h, *d;
  h = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  h[7] = -1;
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  check<<<Blocks, Threads>>>(d, N);
  cudaError_t device = cudaSuccess, host = cudaSuccess;
  device = cudaFree(d);
  free(h);
  printf("%s %s\n", cudaGetErrorName(device), cudaGetErrorName(host));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return device != cudaSuccess;
}
