// The upload happens in the first round only; the kernel reads in every round.
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
  for (int round = 0; round < 3; ++round) {
    if (round == 0)
      CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads>>>(dx, dy, N, 1.0f + round);
    CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hy, N));
  }
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
