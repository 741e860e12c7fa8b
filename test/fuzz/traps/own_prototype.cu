// Another unit defines a function under a name of the C library's; it changes
// the host buffer between upload and download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXTRA: own_function.extra.cpp
// EXPECT: hx dx declined unknown-call
#include "e2e.h"

extern "C" void truncate(float *x, long n);

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  truncate(hx, N);
  addInPlace<<<Blocks, Threads>>>(dx, N, 3.0f);
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
