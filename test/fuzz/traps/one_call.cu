// Two host buffers would share a block: one call reads the one while it writes
// the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: a d unified
// EXPECT: b d declined rival
#include "e2e.h"

__attribute__((noinline)) static void reverse(const float *from, float *to,
                                              int depth) {
  if (depth)
    return reverse(from, to, depth - 1);
  for (int i = 0; i < N; ++i)
    to[i] = from[N - 1 - i];
}

int main() {
  float *a = (float *)malloc(Bytes), *b = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(a, N, 1);
  CHECK(cudaMemcpy(d, a, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(a, d, Bytes, cudaMemcpyDeviceToHost));
  reverse(a, b, 3);
  CHECK(cudaMemcpy(d, b, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(b, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(b, N));
  CHECK(cudaFree(d));
  free(a);
  free(b);
}
