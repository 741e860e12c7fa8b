// Uploads of the whole and of a part, where the device buffer exists: whether it does, an
// argument says each time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// EXPECT: out sums unified
// ARGS: 1
#include "e2e.h"

int main(int argc, char **) {
  float *h = (float *)malloc(Bytes), *out = (float *)malloc(Bytes);
  float *d = nullptr, *sums;
  CHECK(cudaMalloc(&sums, Bytes));
  CHECK(cudaMemset(sums, 0, Bytes));
  if (argc > 1)
    CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  puts("filled");
  if (argc > 1) {
    CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
    saxpy<<<Blocks, Threads>>>(N, 1.0f, d, sums);
    CHECK(cudaMemcpy(d, h, Bytes / 2, cudaMemcpyHostToDevice));
    saxpy<<<Blocks, Threads>>>(N, 2.0f, d, sums);
  }
  CHECK(cudaMemcpy(out, sums, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(h, N), sum(out, N));
  cudaFree(d);
  cudaFree(sums);
  free(h);
  free(out);
}
