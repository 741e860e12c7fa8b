// A vector is cleared by its constructor while the kernel may be at work. Nobody reads
// the zeroes, but writing them is the program's own code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy declined
#include "e2e.h"

int main() {
  float *dy;
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads>>>(dy, N);
  std::vector<float> hy(N);
  CHECK(cudaMemcpy(hy.data(), dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy.data(), N));
  cudaFree(dy);
}
