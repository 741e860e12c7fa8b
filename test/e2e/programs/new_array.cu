// Host memory from new[].
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = new float[N];
  float *hy = new float[N];
  fill(hx, N, 3);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, N * sizeof(float)));
  CHECK(cudaMalloc(&dy, N * sizeof(float)));
  CHECK(cudaMemcpy(dx, hx, N * sizeof(float), cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 3.0f);
  CHECK(cudaMemcpy(hy, dy, N * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  delete[] hx;
  delete[] hy;
}
