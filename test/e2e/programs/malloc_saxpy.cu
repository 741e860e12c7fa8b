// The plain case: one input pair and one pair that is input and output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  float *hy = (float *)malloc(Bytes);
  fill(hx, N, 1);
  fill(hy, N, 2);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dy, hy, Bytes, cudaMemcpyHostToDevice));
  saxpy<<<Blocks, Threads>>>(N, 2.0f, dx, dy);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
