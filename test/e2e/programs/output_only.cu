// A pair that only a download links.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hy = (float *)malloc(Bytes);
  float *dy;
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads>>>(dy, N);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  CHECK(cudaFree(dy));
  free(hy);
}
