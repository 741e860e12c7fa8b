// As visible_call_ok, but the function is in another file, and keeps the pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unknown-call
// EXTRA: unknown_call_blocked.extra.cpp
#include "e2e.h"

double check(const float *data, int n);

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  printf("%.0f\n", check(hx, N));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", check(nullptr, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", check(nullptr, N));
  cudaFree(dx);
  free(hx);
}
