// As capture, but nothing is captured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx, *hy, *dx, *dy;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMallocHost(&hy, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
  addInPlace<<<Blocks, Threads, 0, s>>>(dx, N, 1.0f);
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaMemcpyAsync(hy, dy, Bytes, cudaMemcpyDeviceToHost, s));
  CHECK(cudaStreamSynchronize(s));
  printf("%.0f\n", sum(hy, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  cudaFree(dy);
  cudaFreeHost(hx);
  cudaFreeHost(hy);
}
