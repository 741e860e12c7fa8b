// As jumps_back, but the function itself goes there, once it has downloaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  goto forth;
back:
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
  return 0;
forth:
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  goto back;
}
