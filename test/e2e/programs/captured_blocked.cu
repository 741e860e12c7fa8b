// A kernel keeps the device pointer; a later one uses it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined captured-by-kernel
#include "e2e.h"

__device__ float *Kept;
__global__ void keep(float *p) { Kept = p; }
__global__ void useKept(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    Kept[i] += 1;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  keep<<<1, 1>>>(dx);
  useKept<<<Blocks, Threads>>>(N);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
