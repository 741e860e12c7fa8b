// As kind_lies, but it says that it is a download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  cudaError_t status = cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost);
  printf("%d %.0f\n", status == cudaSuccess, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
