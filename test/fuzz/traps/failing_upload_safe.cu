// As failing_upload, but the host writes when all is done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hz dz unified
#include "e2e.h"

float *Replacement = nullptr;

int main() {
  float *hx = (float *)malloc(Bytes), *hz = (float *)malloc(Bytes), *dx, *dz;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dz, N, 2.0f);
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  if (cudaMemcpy(dx, Replacement, Bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    cudaGetLastError();
  CHECK(cudaDeviceSynchronize());
  fill(hx, N, 2);
  printf("%.0f\n", sum(hz, N));
  cudaFree(dx);
  cudaFree(dz);
  free(hx);
  free(hz);
}
