// As distance_from_null, but from the buffer itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"

__attribute__((noinline)) static size_t distance(const char *a, const char *b,
                                                 int depth) {
  return depth ? distance(a, b, depth - 1) : a - b;
}

int main(int argc, char **) {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  size_t where = distance((char *)h + argc, (char *)h, 3);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%zu %.0f\n", where, sum(h, N));
  CHECK(cudaFree(d));
  free(h);
}
