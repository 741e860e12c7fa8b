// A function that stays a call writes the size as another type, in a variable
// of which Echo asked for another place before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

static struct {
  unsigned before;
  union {
    float as_float;
    unsigned count;
  };
} sizes;

__attribute__((noinline)) static void set(float bits, int depth) {
  if (depth)
    return set(bits, depth - 1);
  sizes.as_float = bits;
}

int main() {
  sizes.before = 7;
  sizes.count = N;
  float *h = (float *)malloc(sizes.count * sizeof(float)), *d;
  CHECK(cudaMalloc(&d, sizes.count * sizeof(float)));
  fill(h, N, 1);
  printf("%u\n", sizes.before);
  CHECK(cudaMemcpy(d, h, sizes.count * sizeof(float), cudaMemcpyHostToDevice));
  unsigned half = N / 2;
  float bits;
  memcpy(&bits, &half, sizeof bits);
  set(bits, 3);
  printf("%u\n", sizes.before);
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, sizes.count * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, N));
  CHECK(cudaFree(d));
  free(h);
}
