// A vector is cleared by its constructor after the kernel has filled the device
// buffer, and the zeroes may be read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy declined alloc-write-live|host-write-live-device|host-write-in-flight
#include "e2e.h"

int main(int argc, char **) {
  float *dy;
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads>>>(dy, N);
  std::vector<float> hy(N);
  if (argc > 1)
    printf("%.0f\n", sum(hy.data(), N));
  CHECK(cudaMemcpy(hy.data(), dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy.data(), N));
  cudaFree(dy);
}
