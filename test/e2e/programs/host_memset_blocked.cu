// The host clears the output after the kernel, before the download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy declined host-write-live-device
#include "e2e.h"

int main() {
  float *hy = (float *)malloc(Bytes);
  float *dy;
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads>>>(dy, N);
  CHECK(cudaDeviceSynchronize());
  memset(hy, 0, Bytes);
  printf("%.0f\n", sum(hy, N));
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dy);
  free(hy);
}
