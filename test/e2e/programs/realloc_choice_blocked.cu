// Which buffer realloc gets depends on data, and one is unknown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined reallocated
#include "e2e.h"

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *other = (float *)strdup("other");
  fill(hx, N, 1);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  float *resized = argc > 0 ? hx : other;
  resized = (float *)realloc(resized, 2 * Bytes);
  fill(resized + N, N, 2);
  printf("%.0f\n", sum(resized, 2 * N));
  cudaFree(dx);
  free(resized);
  free(other);
}
