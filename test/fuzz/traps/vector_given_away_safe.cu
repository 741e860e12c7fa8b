// As vector_given_away, but what was moved gets the download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <utility>

int main() {
  std::vector<float> hx(N, 1.0f);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  std::vector<float> kept = std::move(hx);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(kept.data(), dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(kept.data(), N));
  cudaFree(dx);
}
