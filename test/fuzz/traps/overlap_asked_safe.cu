// As overlap_asked, but the question is about one buffer alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"

int main(int argc, char **) {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", h < h + argc && h + argc < h + N, sum(h, N));
  CHECK(cudaFree(d));
  free(h);
}
