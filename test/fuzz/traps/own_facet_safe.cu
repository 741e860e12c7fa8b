// As own_facet, but the library prints numbers itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <iostream>

static int count = N;

int main() {
  float *hx, *dx;
  int all = count;
  hx = (float *)malloc(count * sizeof(float));
  CHECK(cudaMalloc(&dx, count * sizeof(float)));
  fill(hx, all, 1);
  CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
  std::cout << 12345L;
  std::cout.flush();
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, count * sizeof(float), cudaMemcpyDeviceToHost));
  printf("\n%d %.0f\n", count, sum(hx, all));
  cudaFree(dx);
  free(hx);
}
