// As sizes_differ, but they are one size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified|guarded
#include "e2e.h"

int main(int argc, char **) {
  size_t size = Bytes * argc;
  float *hx = (float *)malloc(size), *dx;
  CHECK(cudaMalloc(&dx, size));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, size, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, size, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
