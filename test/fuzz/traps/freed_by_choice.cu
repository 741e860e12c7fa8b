// As freed_first, but which of two host buffers goes is chosen by data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *other = (float *)malloc(Bytes), *dx;
  fill(hx, N, 1);
  fill(other, N, 2);
  printf("%.0f %.0f\n", sum(hx, N), sum(other, N));
  free(argc > 1 ? hx : other);
  CHECK(cudaMalloc(&dx, Bytes));
  if (argc <= 1)
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  else
    CHECK(cudaMemset(dx, 0, Bytes));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  if (argc <= 1) {
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
  }
  cudaFree(dx);
}
