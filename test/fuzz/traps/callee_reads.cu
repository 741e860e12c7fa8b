// A function that is not inlined reads the host buffer behind an in-place one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

__attribute__((noinline)) static double look(const float *h, int depth) {
  return depth ? look(h, depth - 1) : sum(h, N);
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", look(hx, 3));
  cudaFree(dx);
  free(hx);
}
