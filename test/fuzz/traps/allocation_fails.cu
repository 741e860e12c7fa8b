// A larger buffer cannot be had, and the variable keeps the old one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined ambiguous-pointer
#include "e2e.h"

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  float *old = dx;
  if (cudaMalloc(&dx, size_t(argc) << 50) == cudaSuccess)
    CHECK(cudaFree(old));
  cudaGetLastError();
  fill(hx, N, 2);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(dx));
  printf("%.0f\n", sum(hx, N));
  free(hx);
}
