// make() returns into the output itself, of which clang says that it has no second
// name: LLVM stores to it behind the loop that fills the input.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: at-most 1
// FLAGS: --min-bytes=1
#include "e2e.h"
#include <new>

__global__ void twice(float *d) {
  int i = threadIdx.x;
  d[i] = d[i] * 2 + 1;
}

static float Source[1024];

struct Big {
  float x[1024];
};

static Big make(float *in, int rounds) {
  Big b;
  do {
    b.x[3] = (float)rounds;
    memcpy(in, Source, sizeof(Source));
  } while (--rounds > 0);
  return b;
}

int main(int argc, char **) {
  const size_t bytes = sizeof(Source);
  for (int i = 0; i < 1024; ++i)
    Source[i] = (float)(i * argc);
  float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes), *d;
  CHECK(cudaMalloc(&d, bytes));
  new (out) Big(make(in, argc + 3));
  CHECK(cudaMemcpy(d, in, bytes, cudaMemcpyHostToDevice));
  twice<<<1, 1024>>>(d);
  CHECK(cudaMemcpy(out, d, bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", out[3], sum(out, 1024));
  cudaFree(d);
  free(in);
  free(out);
}
