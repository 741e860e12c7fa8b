// calloc comes after the kernel has filled the device buffer, but nobody reads its
// zeroes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *dy;
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads>>>(dy, N);
  CHECK(cudaDeviceSynchronize());
  float *hy = (float *)calloc(N, sizeof(float));
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dy);
  free(hy);
}
