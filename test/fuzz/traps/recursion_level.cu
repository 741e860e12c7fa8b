// Every activation hands its device buffer to the next one, which changes it
// before the outer one looks at its host buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined
#include "e2e.h"

static void level(int depth, float *outer) {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, depth);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  if (outer)
    saxpy<<<Blocks, Threads>>>(N, 2.0f, d, outer);
  if (depth > 0)
    level(depth - 1, d);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f", sum(h, N));
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf(" %.0f\n", sum(h, N));
  cudaFree(d);
  free(h);
}

int main() { level(3, nullptr); }
