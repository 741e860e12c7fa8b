// Pinned buffers, asynchronous copies and kernels in one stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx, *hy, *dx, *dy;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMallocHost((void **)&hx, Bytes));
  CHECK(cudaMallocHost((void **)&hy, Bytes));
  CHECK(cudaMalloc((void **)&dx, Bytes));
  CHECK(cudaMalloc((void **)&dy, Bytes));
  for (int frame = 0; frame < 3; ++frame) {
    fill(hx, N, frame);
    CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
    scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
    CHECK(cudaMemcpyAsync(hy, dy, Bytes, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%.0f\n", sum(hy, N));
  }
  CHECK(cudaStreamDestroy(s));
  cudaFree(dx);
  cudaFree(dy);
  cudaFreeHost(hx);
  cudaFreeHost(hy);
}
