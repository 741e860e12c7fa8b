// A function that stays a call tells how far the buffer is from a pointer that
// may be null: that is its address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined pointer-compared|unknown-call
#include "e2e.h"

__attribute__((noinline)) static size_t distance(const char *a, const char *b,
                                                 int depth) {
  return depth ? distance(a, b, depth - 1) : a - b;
}

int main(int argc, char **) {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  size_t where = distance((char *)h, argc > 5 ? (char *)h : nullptr, 3);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum((float *)where, N));
  CHECK(cudaFree(d));
  free(h);
}
