// As call_writes_both, but two calls write the two buffers, and the output first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: in d unified
// EXPECT: out d unified
#include "e2e.h"

__attribute__((noinline)) static void init(float *p, float of) {
  for (int i = 0; i < N; ++i)
    p[i] = of;
}

int main(int argc, char **) {
  float *in = (float *)malloc(Bytes), *out = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  init(out, 0);
  init(in, 4.f + argc);
  CHECK(cudaMemcpy(d, in, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.f);
  CHECK(cudaMemcpy(out, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(out, N));
  cudaFree(d);
  free(in);
  free(out);
}
