// As mapped_alias, but nothing asks for the device address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hz dz unified
#include "e2e.h"

int main() {
  float *hx, *hz = (float *)malloc(Bytes), *dx, *dz;
  CHECK(cudaHostAlloc(&hx, Bytes, cudaHostAllocMapped));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemset(dz, 0, Bytes));
  saxpy<<<Blocks, Threads>>>(N, 1.0f, dx, dz);
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hz, N));
  cudaFree(dx);
  cudaFree(dz);
  cudaFreeHost(hx);
  free(hz);
}
