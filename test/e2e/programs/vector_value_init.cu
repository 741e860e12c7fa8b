// A vector filled by its constructor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  std::vector<float> hx(N, 2.5f);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 0.5f);
  CHECK(cudaMemcpy(hx.data(), dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.1f\n", sum(hx.data(), N), hx.back());
  cudaFree(dx);
}
