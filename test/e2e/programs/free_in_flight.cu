// Both buffers are freed while the kernel may still run; the program ends later.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  free(hx);
  CHECK(cudaFree(dx));
  CHECK(cudaDeviceSynchronize());
  printf("done\n");
}
