// As host_copy_in_flight_blocked, but the host waits before the copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  fill(hy, N, 2);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hx, hy, Bytes, cudaMemcpyHostToHost));
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
