// calloc clears the block after the kernel has filled the device buffer, and the
// zeroes may be read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy declined alloc-write-live|host-write-live-device
#include "e2e.h"

int main(int argc, char **) {
  float *dy;
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads>>>(dy, N);
  CHECK(cudaDeviceSynchronize());
  float *hy = (float *)calloc(N, sizeof(float));
  if (argc > 1)
    printf("%.0f\n", sum(hy, N));
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dy);
  free(hy);
}
