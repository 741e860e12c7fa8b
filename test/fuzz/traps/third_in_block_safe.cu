// As third_in_block, but d2 has a host buffer of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: b d2 unified
// EXPECT: a d1 unified
// EXPECT: c d1 unified
#include "e2e.h"

int main() {
  float *a = (float *)malloc(Bytes), *c = (float *)malloc(Bytes), *d1, *d2;
  float *b = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&d1, Bytes));
  fill(a, N, 1);
  CHECK(cudaMemcpy(d1, a, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d1, N, 1.0f);
  CHECK(cudaMemcpy(c, d1, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d1));
  CHECK(cudaMalloc(&d2, Bytes));
  iota<<<Blocks, Threads>>>(d2, N);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(c, N));
  for (int round = 0; round < 2; ++round) {
    CHECK(cudaMemcpy(b, d2, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(b, N));
    addInPlace<<<Blocks, Threads>>>(d2, N, 1.0f);
  }
  CHECK(cudaFree(d2));
  free(a);
  free(b);
  free(c);
}
