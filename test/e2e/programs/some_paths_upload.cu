// Only one branch uploads what the host has written; the other must see the old
// content.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-live-device
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  for (int round = 0; round < 4; ++round) {
    fill(hx, N, round + 5);
    if (round % 2)
      CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads>>>(dx, dy, N, 1.0f);
    CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hy, N));
  }
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
