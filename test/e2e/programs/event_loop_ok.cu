// A loop waits for the event of its previous round before it writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  cudaEvent_t e;
  CHECK(cudaEventCreate(&e));
  for (int round = 0; round < 4; ++round) {
    CHECK(cudaEventSynchronize(e));
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
    CHECK(cudaEventRecord(e));
  }
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaEventDestroy(e);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
