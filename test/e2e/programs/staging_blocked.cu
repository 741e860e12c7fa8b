// One host buffer stages two device buffers: it can share storage with the second
// only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-live-device|rival
// EXPECT: hx dy unified
// EXPECT: hz dz unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hz = (float *)malloc(Bytes);
  float *dx, *dy, *dz;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  fill(hx, N, 2);
  CHECK(cudaMemcpy(dy, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dz, N, 2.0f);
  saxpy<<<Blocks, Threads>>>(N, 3.0f, dy, dz);
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hz, N));
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
  free(hx);
  free(hz);
}
