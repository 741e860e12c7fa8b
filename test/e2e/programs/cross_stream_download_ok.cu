// A pinned download in one stream, waited for through its event, while the other
// stream works on other buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx, *hy, *dx, *dy;
  cudaStream_t s, t;
  cudaEvent_t e;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&e));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMallocHost(&hy, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads, 0, s>>>(dx, N);
  CHECK(cudaMemcpyAsync(hx, dx, Bytes, cudaMemcpyDeviceToHost, s));
  CHECK(cudaEventRecord(e, s));
  iota<<<Blocks, Threads, 0, t>>>(dy, N);
  CHECK(cudaEventSynchronize(e));
  printf("%.0f\n", sum(hx, N));
  addInPlace<<<Blocks, Threads, 0, t>>>(dy, N, 1.0f);
  CHECK(cudaMemcpyAsync(hy, dy, Bytes, cudaMemcpyDeviceToHost, t));
  CHECK(cudaStreamSynchronize(t));
  printf("%.0f\n", sum(hy, N));
  cudaEventDestroy(e);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  cudaFreeHost(hx);
  cudaFreeHost(hy);
}
