// Pinned host buffer, device buffers that are never freed: from the second on
// they stay apart, and their uploads are as complete as those of pinned memory
// when they return, whatever memory the host buffer got.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx, *dx;
  cudaStream_t s;
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  for (int round = 0; round < 4; ++round) {
    CHECK(cudaMalloc(&dx, Bytes));
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads, 0, s>>>(dx, N, 1.0f);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
  }
  CHECK(cudaFreeHost(hx));
}
