// As partial_kernel, but the host writes its buffer when the kernels are done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hz dz unified
#include "e2e.h"

__global__ void firstHalf(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2)
    data[i] = i % 10;
}

int main() {
  float *hx = (float *)malloc(Bytes), *hz = (float *)malloc(Bytes), *dx, *dz;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  memset(hx, 0, Bytes);
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  firstHalf<<<Blocks, Threads>>>(dx, N);
  scale<<<Blocks, Threads>>>(dx, dz, N, 2.0f);
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hz, N));
  memset(hx, 0, Bytes);
  fill(hx, N, 2);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dz, N, 2.0f);
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hz, N));
  cudaFree(dx);
  cudaFree(dz);
  free(hx);
  free(hz);
}
