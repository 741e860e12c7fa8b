// A vector that grows while it is filled; its first storages are too small.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

int main() {
  std::vector<float> hx;
  for (int i = 0; i < N; ++i)
    hx.push_back(i % 9);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx.data(), dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx.data(), N));
  cudaFree(dx);
}
