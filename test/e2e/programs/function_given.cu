// A function that launches is given to a template that calls it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

template <class Work, class... Args>
void repeat(int times, Work work, Args &&...args) {
  for (int i = 0; i < times; ++i)
    work(args...);
}
void add(float *d, float value) {
  addInPlace<<<Blocks, Threads>>>(d, N, value);
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  repeat(3, add, dx, 2.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
