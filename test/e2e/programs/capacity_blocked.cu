// As capacity_ok, but half of the smaller buffer is copied.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(2 * Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, 2 * N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes / 2, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N / 2, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes / 2, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, 2 * N));
  cudaFree(dx);
  free(hx);
}
