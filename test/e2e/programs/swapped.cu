// Device buffers change places in a loop; which one is copied back only run time
// knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx in unified
// ARGS: 3
// ARGS: 4
#include "e2e.h"

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 2;
  float *hx = (float *)malloc(Bytes), *in, *out;
  CHECK(cudaMalloc(&in, Bytes));
  CHECK(cudaMalloc(&out, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(in, hx, Bytes, cudaMemcpyHostToDevice));
  for (int i = 0; i < rounds; ++i) {
    scale<<<Blocks, Threads>>>(in, out, N, 2.0f);
    float *swap = in;
    in = out;
    out = swap;
  }
  CHECK(cudaMemcpy(hx, in, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(in);
  cudaFree(out);
  free(hx);
}
