// As joined_restrict, but clang says nothing of the two: their writes keep their
// order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: in d unified
// EXPECT: out d unified
// FLAGS: --min-bytes=1
#include "e2e.h"

__global__ void twice(float *d) {
  int i = threadIdx.x;
  d[i] = d[i] * 2 + 1;
}

static float Source[1024];

static void init(float *out, float *in, int rounds) {
  do {
    out[3] = (float)rounds;
    memcpy(in, Source, sizeof(Source));
  } while (--rounds > 0);
}

int main(int argc, char **) {
  const size_t bytes = sizeof(Source);
  for (int i = 0; i < 1024; ++i)
    Source[i] = (float)(i * argc);
  float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes), *d;
  CHECK(cudaMalloc(&d, bytes));
  init(out, in, argc + 3);
  CHECK(cudaMemcpy(d, in, bytes, cudaMemcpyHostToDevice));
  twice<<<1, 1024>>>(d);
  CHECK(cudaMemcpy(out, d, bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", out[3], sum(out, 1024));
  cudaFree(d);
  free(in);
  free(out);
}
