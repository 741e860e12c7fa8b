// Four buffers linked in a ring; whatever merges, the output must stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(hy, dx, Bytes, cudaMemcpyDeviceToHost));
  hy[0] += 1;
  CHECK(cudaMemcpy(dy, hy, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dy, N, 1.0f);
  printf("%.0f %.0f\n", sum(hx, N), (double)hy[0]);
  CHECK(cudaMemcpy(hx, dy, Bytes, cudaMemcpyDeviceToHost));
  hx[1] += 5;
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hy, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
