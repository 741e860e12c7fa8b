// A pageable upload waits for earlier work of its stream. Echo may rely on it only
// if it keeps that wait when it removes the upload.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified or declined host-write-in-flight
// EXPECT: hy dy unified
// EXPECT: hz dz unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *hz = (float *)malloc(Bytes);
  float *dx, *dy, *dz;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  fill(hz, N, 3);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  CHECK(cudaMemcpy(dz, hz, Bytes, cudaMemcpyHostToDevice));
  fill(hx, N, 2);
  saxpy<<<Blocks, Threads>>>(N, 1.0f, dz, dy);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
  free(hx);
  free(hy);
  free(hz);
}
