// As captured_blocked, but the kernel keeps a value, not the pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__device__ float Kept;
__global__ void keep(float *p) { Kept = p[5]; }
__global__ void useKept(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += Kept;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  keep<<<1, 1>>>(dx);
  useKept<<<Blocks, Threads>>>(dx, N);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
