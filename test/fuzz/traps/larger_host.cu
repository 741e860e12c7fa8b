// The host buffer is larger than what is copied; the host reads all of it
// behind an in-place kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(2 * Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, 2 * N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hx, 2 * N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, 2 * N));
  cudaFree(dx);
  free(hx);
}
