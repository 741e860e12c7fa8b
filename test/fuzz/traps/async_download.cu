// An asynchronous download to pageable memory is read at once: drivers finish
// it before they return, and programs rely on that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-read-in-flight
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads, 0, s>>>(dx, N, 1.0f);
  CHECK(cudaMemcpyAsync(hx, dx, Bytes, cudaMemcpyDeviceToHost, s));
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaStreamSynchronize(s));
  cudaStreamDestroy(s);
  cudaFree(dx);
  free(hx);
}
