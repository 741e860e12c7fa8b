// An upload from a place outside fails: the device buffer keeps what it had,
// although the host buffer was written anew.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-live-device
// EXPECT: hz dz unified
#include "e2e.h"

float *Replacement = nullptr;

int main() {
  float *hx = (float *)malloc(Bytes), *hz = (float *)malloc(Bytes), *dx, *dz;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  fill(hx, N, 2);
  if (cudaMemcpy(dx, Replacement, Bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    cudaGetLastError();
  scale<<<Blocks, Threads>>>(dx, dz, N, 2.0f);
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hz, N));
  cudaFree(dx);
  cudaFree(dz);
  free(hx);
  free(hz);
}
