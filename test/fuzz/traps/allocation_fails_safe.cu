// A larger buffer cannot be had, and the program ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  float *old = dx;
  if (cudaMalloc(&dx, size_t(argc) << 50) != cudaSuccess)
    return printf("%.0f\n", sum(hx, N)), free(hx), cudaFree(old) != 0;
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaFree(dx));
  CHECK(cudaFree(old));
  free(hx);
}
