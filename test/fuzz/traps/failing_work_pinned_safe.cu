// As failing_work_pinned, and the kernel does not fail.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"

__global__ void check(const float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && d[i] < 0)
    __trap();
}

int main() {
  float *h, *d;
  CHECK(cudaMallocHost(&h, Bytes));
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  h[7] = 1;
  CHECK(cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice));
  check<<<Blocks, Threads>>>(d, N);
  cudaError_t device = cudaSuccess, host = cudaSuccess;
  host = cudaFreeHost(h);
  device = cudaFree(d);
  printf("%s %s\n", cudaGetErrorName(device), cudaGetErrorName(host));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return device != cudaSuccess;
}
