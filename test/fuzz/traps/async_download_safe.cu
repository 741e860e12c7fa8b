// As async_download, but the host waits before it reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
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
  CHECK(cudaStreamSynchronize(s));
  printf("%.0f\n", sum(hx, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  free(hx);
}
