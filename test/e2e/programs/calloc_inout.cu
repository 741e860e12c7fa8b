// A calloc block goes up, is changed in place, and comes back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)calloc(N, sizeof(float));
  hx[5] = 3;
  float *dx;
  CHECK(cudaMalloc((void **)&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", hx[5], sum(hx, N));
  CHECK(cudaFree(dx));
  free(hx);
}
