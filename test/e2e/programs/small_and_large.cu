// One pair over the threshold, one under it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hs ds skipped too-small
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hs = (float *)malloc(512);
  float *dx, *ds;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&ds, 512));
  fill(hx, N, 1);
  fill(hs, 128, 2);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(ds, hs, 512, cudaMemcpyHostToDevice));
  saxpy<<<1, 128>>>(128, 1.0f, ds, dx);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  cudaFree(ds);
  free(hx);
  free(hs);
}
