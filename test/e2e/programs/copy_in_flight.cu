// A download from another buffer lands in hx while a kernel reads dx.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined copy-in-flight|rival
// EXPECT: hx dz unified or declined rival|copy-in-flight
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx, *hy, *dx, *dy, *dz;
  cudaStream_t s, t;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMallocHost(&hy, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
  CHECK(cudaStreamSynchronize(s));
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaMemsetAsync(dz, 0, Bytes, t));
  CHECK(cudaMemcpyAsync(hx, dz, Bytes, cudaMemcpyDeviceToHost, t));
  CHECK(cudaStreamSynchronize(t));
  CHECK(cudaMemcpyAsync(hy, dy, Bytes, cudaMemcpyDeviceToHost, s));
  CHECK(cudaStreamSynchronize(s));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
  cudaFreeHost(hx);
  cudaFreeHost(hy);
}
