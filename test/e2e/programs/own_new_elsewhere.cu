// The program's own operator new, in another file, has a budget: it fails where
// the C++ library's would not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
// EXTRA: own_new_elsewhere.extra.cpp
#include "e2e.h"

#include <new>

static void work(int n) {
  float *hx = new (std::nothrow) float[n];
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
  delete[] hx;
}

int main() {
  work(N);
  work(N / 2);
}
