// The host clears the output buffer while the kernel fills its device side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy declined host-write-in-flight|host-write-live-device
#include "e2e.h"

int main() {
  float *hy = (float *)malloc(Bytes);
  float *dy;
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads>>>(dy, N);
  fill(hy, N, 1);
  printf("%.0f\n", sum(hy, N));
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dy);
  free(hy);
}
