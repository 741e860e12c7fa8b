// A parallel region takes the pointer out of its variable as a number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fopenmp
// EXPECT: h d declined unknown-call|pointer-escapes
#include "e2e.h"

typedef uintptr_t __attribute__((may_alias)) Bits;

int main() {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
#pragma omp parallel for
  for (int i = 0; i < N; ++i)
    ((float *)*(Bits *)&h)[i] = -1;
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, N));
  CHECK(cudaFree(d));
  free(h);
}
