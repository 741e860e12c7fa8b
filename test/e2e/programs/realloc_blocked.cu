// The host buffer is resized, and with it goes what the GPU has overwritten.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  fill(hx, N, 1);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  float *hy = (float *)realloc(hx, 2 * Bytes);
  fill(hy + N, N, 2);
  printf("%.0f\n", sum(hy, 2 * N));
  cudaFree(dx);
  free(hy);
}
