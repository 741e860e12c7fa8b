// The same without the call that fails.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"

int main() {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(d, d, N, 2.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, N));
  fill(h, N, 3);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(d, d, N, 2.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, N));
  cudaFree(d);
  free(h);
}
