// As function_given, but which function it is, is known at run time only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unknown-call
#include "e2e.h"

template <class Work, class... Args>
void repeat(int times, Work work, Args &&...args) {
  for (int i = 0; i < times; ++i)
    work(args...);
}
void add(float *d, float value) {
  addInPlace<<<Blocks, Threads>>>(d, N, value);
}
void (*volatile chosen)(float *, float) = add;

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  repeat(3, chosen, dx, 2.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
