// The host buffer is freed while a kernel still uses the device buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  free(hx);
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  float *other = (float *)malloc(Bytes); // may reuse what was freed
  fill(other, N, 9);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hy, N), sum(other, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hy);
  free(other);
}
