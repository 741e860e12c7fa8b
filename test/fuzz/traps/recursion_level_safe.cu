// As recursion_level, but every activation keeps its buffers to itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"

static void level(int depth) {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, depth);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 2.0f);
  if (depth > 0)
    level(depth - 1);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, N));
  cudaFree(d);
  free(h);
}

int main() { level(3); }
