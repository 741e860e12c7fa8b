// As realloc_blocked, but another buffer is resized.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx;
  fill(hx, N, 1);
  fill(hy, N, 2);
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  hy = (float *)realloc(hy, 2 * Bytes);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  memcpy(hy + N, hx, Bytes);
  printf("%.0f\n", sum(hy, 2 * N));
  cudaFree(dx);
  free(hx);
  free(hy);
}
