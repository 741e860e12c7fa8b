// The status of a wait after the download tells of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__global__ void stops(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
  if (i == n - 1)
    __builtin_trap();
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  stops<<<Blocks, Threads>>>(dx, N);
  cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost);
  cudaError_t status = cudaDeviceSynchronize();
  if (status == cudaSuccess)
    printf("%.0f\n", sum(hx, N));
  else
    printf("stopped\n");
  free(hx);
}
