// The host buffer goes through a function that this file defines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

double check(const float *data, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += data[i] > 8 ? 1 : 0;
  return total;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", check(hx, N));
  cudaFree(dx);
  free(hx);
}
