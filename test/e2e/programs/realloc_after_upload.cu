// The host buffer is resized while the device buffer has its content.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified or declined partial-copy
// EXPECT: at-least 1
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  fill(hx, N, 1);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  hx = (float *)realloc(hx, 2 * Bytes);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx + N, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, 2 * N));
  cudaFree(dx);
  free(hx);
}
