// Pinned host memory of cudaHostAlloc, output only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx, *dx;
  CHECK(cudaHostAlloc(&hx, Bytes, cudaHostAllocDefault));
  CHECK(cudaMalloc(&dx, Bytes));
  iota<<<Blocks, Threads>>>(dx, N);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaFree(dx));
  CHECK(cudaFreeHost(hx));
}
