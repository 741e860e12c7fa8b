// As vector_grows, but the last element is there from the beginning.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  std::vector<float> hx(N, 1.0f);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  hx.back() = 5.0f;
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hx.data(), dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx.data(), N));
  cudaFree(dx);
}
