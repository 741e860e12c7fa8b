// As null_source_blocked, but the second upload always has its source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hz dz unified
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hz = (float *)malloc(Bytes), *dx, *dz;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  fill(hx, N, 2);
  float *source = hx;
  if (cudaMemcpy(dx, source, Bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    cudaGetLastError();
  scale<<<Blocks, Threads>>>(dx, dz, N, 2.0f);
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hz, N));
  cudaFree(dx);
  cudaFree(dz);
  free(hx);
  free(hz);
}
