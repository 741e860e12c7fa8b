// The device buffer is larger than the host buffer, and the kernel uses all of
// it: a block of the smaller size would not do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified|guarded or declined
// EXPECT: hz dz unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hz = (float *)malloc(4 * Bytes);
  float *dx, *dz;
  CHECK(cudaMalloc(&dx, 4 * Bytes));
  CHECK(cudaMalloc(&dz, 4 * Bytes));
  fill(hx, N, 1);
  iota<<<4 * Blocks, Threads>>>(dx, 4 * N);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<4 * Blocks, Threads>>>(dx, dz, 4 * N, 2.0f);
  CHECK(cudaMemcpy(hz, dz, 4 * Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hz, 4 * N));
  cudaFree(dx);
  cudaFree(dz);
  free(hx);
  free(hz);
}
