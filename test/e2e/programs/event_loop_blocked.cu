// As event_loop_ok, but the event is recorded before the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-in-flight
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
    CHECK(cudaEventRecord(e));
    scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  }
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaEventDestroy(e);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
