// As pointer_bits, before the upload and as a pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// EXPECT: h d unified
#include "e2e.h"

int main() {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
#pragma omp parallel for
  for (int i = 0; i < N; ++i)
    h[i] = -1;
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, N));
  CHECK(cudaFree(d));
  free(h);
}
