// A vector is moved to another variable; whatever the verdict, the output must stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
#include "e2e.h"

int main() {
  std::vector<float> hx(N, 1.0f);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  std::vector<float> other = std::move(hx);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(other.data(), N));
  CHECK(cudaMemcpy(other.data(), dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(other.data(), N));
  cudaFree(dx);
}
