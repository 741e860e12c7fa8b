// A function without streams is called while a non-blocking stream works.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__attribute__((noinline)) double computed() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemset(dx, 0, Bytes));
  addInPlace<<<Blocks, Threads>>>(dx, N, 3.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  double seen = sum(hx, N);
  CHECK(cudaFree(dx));
  free(hx);
  return seen;
}

int main() {
  float *dy;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemset(dy, 0, Bytes));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 50; ++i)
    addInPlace<<<Blocks, Threads, 0, s>>>(dy, N, 1.0f);
  printf("%.0f\n", computed());
  CHECK(cudaStreamSynchronize(s));
  float last;
  CHECK(cudaMemcpy(&last, dy + N - 1, 4, cudaMemcpyDeviceToHost));
  printf("%.0f\n", last);
  CHECK(cudaFree(dy));
}
