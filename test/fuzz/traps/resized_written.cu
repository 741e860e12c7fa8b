// Each round writes the buffer of the round before, and then resizes it. The
// last round's copy, of no bytes, waits for no kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

static float seen[4 * N];

int main() {
  float *h = nullptr, *out;
  CHECK(cudaMalloc(&out, 4 * Bytes));
  size_t i = 4;
  do {
    size_t bytes = i * Bytes;
    float *other, *d;
    CHECK(cudaMalloc(&other, bytes));
    CHECK(cudaMemcpy(seen, other, bytes, cudaMemcpyDeviceToHost));
    if (h)
      h[0] = 77;
    h = (float *)realloc(h, bytes);
    fill(h, i * N, i);
    CHECK(cudaMalloc(&d, bytes));
    CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    if (i)
      scale<<<i * Blocks, Threads>>>(d, out, i * N, 2.0f);
  } while (i-- != 0);
  float result[256];
  CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  printf("%g %g\n", result[0], result[1]);
  free(h);
}
