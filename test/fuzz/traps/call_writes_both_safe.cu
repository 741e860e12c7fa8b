// As call_writes_both, but two calls write the two buffers, and the output first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: in d unified
// EXPECT: out d unified
#include "e2e.h"

static void init(float *p, float of, int depth) {
  if (depth)
    return init(p, of, depth - 1);
  for (int i = 0; i < N; ++i)
    p[i] = of;
}

int main(int argc, char **) {
  float *in = (float *)malloc(Bytes), *out = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  init(out, 0, 3);
  init(in, 4.f + argc, 3);
  CHECK(cudaMemcpy(d, in, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.f);
  CHECK(cudaMemcpy(out, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(out, N));
  cudaFree(d);
  free(in);
  free(out);
}
