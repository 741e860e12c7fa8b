// The GPU reaches the host buffer under its device address too, after a kernel
// has changed the device buffer in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined inspected-pointer
// EXPECT: hz dz unified
#include "e2e.h"

int main() {
  float *hx, *mapped, *hz = (float *)malloc(Bytes), *dx, *dz;
  CHECK(cudaHostAlloc(&hx, Bytes, cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&mapped, hx, 0));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemset(dz, 0, Bytes));
  saxpy<<<Blocks, Threads>>>(N, 2.0f, mapped, dz);
  saxpy<<<Blocks, Threads>>>(N, 1.0f, dx, dz);
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hz, N));
  cudaFree(dx);
  cudaFree(dz);
  cudaFreeHost(hx);
  free(hz);
}
