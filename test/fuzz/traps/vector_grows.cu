// A vector grows behind the kernel: it takes along what the host had written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

int main() {
  std::vector<float> hx(N, 1.0f);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  hx.push_back(5.0f);
  printf("%.0f\n", sum(hx.data(), N));
  CHECK(cudaMemcpy(hx.data(), dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx.data(), N + 1));
  cudaFree(dx);
}
