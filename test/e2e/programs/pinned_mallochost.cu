// Pinned host memory with synchronous copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx;
  CHECK(cudaMallocHost(&hx, Bytes));
  fill(hx, N, 5);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 2.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaFree(dx));
  CHECK(cudaFreeHost(hx));
}
