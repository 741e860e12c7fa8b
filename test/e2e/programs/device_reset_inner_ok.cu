// A function of its own resets the device when both buffers are gone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__attribute__((noinline)) static void leave() { cudaDeviceReset(); }

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 7.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
  leave();
}
