// Two host buffers would share a block with d1, and d2 would take d1's place in
// it while c still holds its result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: a d2 unified
// EXPECT: a d1 unified
// EXPECT: c d1 declined rival
#include "e2e.h"

int main() {
  float *a = (float *)malloc(Bytes), *c = (float *)malloc(Bytes), *d1, *d2;
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
    CHECK(cudaMemcpy(a, d2, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(a, N));
    addInPlace<<<Blocks, Threads>>>(d2, N, 1.0f);
  }
  CHECK(cudaFree(d2));
  free(a);
  free(c);
}
