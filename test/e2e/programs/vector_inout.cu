// Host memory of std::vector.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  std::vector<float> hx(N), hy(N);
  fill(hx.data(), N, 4);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  CHECK(cudaMemcpy(hy.data(), dy, Bytes, cudaMemcpyDeviceToHost));
  double total = 0;
  for (float value : hy)
    total += value;
  printf("%.0f\n", total);
  cudaFree(dx);
  cudaFree(dy);
}
