// A kernel reads the pinned host buffer itself after another changed its device
// copy in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

int main() {
  float *hx, *hy, *dx, *dy;
  CHECK(cudaMallocHost(&hx, Bytes));
  hy = (float *)malloc(N / 8);
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, N / 8));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  scale<<<Blocks / 128, Threads>>>(hx, dy, N / 128, 2.0f);
  CHECK(cudaMemcpy(hy, dy, N / 128 * 4, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N / 128));
  cudaFree(dx);
  cudaFree(dy);
  cudaFreeHost(hx);
  free(hy);
}
