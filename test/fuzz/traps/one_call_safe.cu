// As one_call, with a call for each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: a d unified
// EXPECT: b d unified
#include "e2e.h"

__attribute__((noinline)) static float last(const float *from, int depth) {
  return depth ? last(from, depth - 1) : from[N - 1];
}

__attribute__((noinline)) static void count(float *to, float from, int depth) {
  if (depth)
    return count(to, from, depth - 1);
  for (int i = 0; i < N; ++i)
    to[i] = from + (float)(i % 10);
}

int main() {
  float *a = (float *)malloc(Bytes), *b = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(a, N, 1);
  CHECK(cudaMemcpy(d, a, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(a, d, Bytes, cudaMemcpyDeviceToHost));
  count(b, last(a, 3), 3);
  CHECK(cudaMemcpy(d, b, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(b, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(b, N));
  CHECK(cudaFree(d));
  free(a);
  free(b);
}
