// As overlap_test, but asks which buffer comes first: a merge may change the
// answer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined pointer-compared
// EXPECT: hy dy declined pointer-compared
#include "e2e.h"

static void add(float *to, const float *from, int n) {
  if (from + n < to && from + 1 < to + n) {
    puts("overlap");
    memmove(to, from, n * sizeof(float));
  } else {
    for (int i = 0; i < n; ++i)
      to[i] += from[i];
  }
}

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  fill(hy, N, 2);
  add(hy, hx, N);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dy, hy, Bytes, cudaMemcpyHostToDevice));
  saxpy<<<Blocks, Threads>>>(N, 2.0f, dx, dy);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
