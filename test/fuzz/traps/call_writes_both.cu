// One call fills the input and clears the output of one device buffer. In one
// block the second write would destroy the first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: at-most 1
#include "e2e.h"

static void init(float *out, float *in, float of, int depth) {
  if (depth)
    return init(out, in, of, depth - 1);
  for (int i = 0; i < N; ++i)
    in[i] = of;
  for (int i = 0; i < N; ++i)
    out[i] = 0;
}

int main(int argc, char **) {
  float *in = (float *)malloc(Bytes), *out = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  init(out, in, 4.f + argc, 3);
  CHECK(cudaMemcpy(d, in, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.f);
  CHECK(cudaMemcpy(out, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(out, N));
  cudaFree(d);
  free(in);
  free(out);
}
