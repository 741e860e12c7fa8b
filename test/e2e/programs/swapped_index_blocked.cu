// As swapped_index, but the host reads its input again, which a kernel may have overwritten.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx in declined device-write-live-host
// EXPECT: out in unified
// ARGS: 3
// ARGS: 4
#include "e2e.h"

#include <utility>

int run(float *const *d, int rounds) {
  int from = 1, to = 0;
  for (int i = 0; i < rounds; ++i) {
    std::swap(from, to);
    scale<<<Blocks, Threads>>>(d[from], d[to], N, 2.0f);
  }
  return to;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 2;
  float *hx = (float *)malloc(Bytes), *out = (float *)calloc(N, sizeof(float));
  float *in[2];
  CHECK(cudaMalloc(&in[0], Bytes));
  CHECK(cudaMalloc(&in[1], Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(in[0], hx, Bytes, cudaMemcpyHostToDevice));
  int last = run(in, rounds);
  CHECK(cudaMemcpy(out, in[last], Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(out, N));
  cudaFree(in[0]);
  cudaFree(in[1]);
  free(hx);
  free(out);
}
