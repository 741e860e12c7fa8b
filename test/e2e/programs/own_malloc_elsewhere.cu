// The program's own malloc, in another file, fails for one size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
// EXTRA: own_malloc_elsewhere.extra.cpp
#include "e2e.h"

static void work(int n) {
  float *hx = (float *)malloc(n * sizeof(float));
  if (!hx) {
    printf("none\n");
    return;
  }
  float *dx;
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  fill(hx, n, 1);
  CHECK(cudaMemcpy(dx, hx, n * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, n, 1.0f);
  CHECK(cudaMemcpy(hx, dx, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, n));
  cudaFree(dx);
  free(hx);
}

int main() {
  work(N);
  work(N / 2);
}
