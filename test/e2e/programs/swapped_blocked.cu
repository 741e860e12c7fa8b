// As swapped, but the buffer that was the first one is read once more, behind
// a copy that may have come from the other one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx in declined host-write-live-device
// EXPECT: hy in unified
// ARGS: 3
// ARGS: 4
#include "e2e.h"

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 2;
  float *hx = (float *)malloc(Bytes), *in, *out;
  CHECK(cudaMalloc(&in, Bytes));
  CHECK(cudaMalloc(&out, Bytes));
  float *first = in, *hy = (float *)malloc(Bytes);
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
  scale<<<Blocks, Threads>>>(first, first, N, 0.5f);
  CHECK(cudaMemcpy(hy, first, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  free(hy);
  cudaFree(in);
  cudaFree(out);
  free(hx);
}
