// As host_func_holds, but nothing in the stream waits for the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hx dy declined device-write-live-host
#include "e2e.h"

int main() {
  float *hx, *dx, *dy;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaStreamSynchronize(s));
  // this copy has to wait for its turn, but not the host
  CHECK(cudaMemcpyAsync(dy, hx, Bytes, cudaMemcpyHostToDevice, s));
  CHECK(cudaStreamSynchronize(s));
  float sample[4];
  CHECK(cudaMemcpy(sample, dy, sizeof sample, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sample[3], sum(hx, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  cudaFree(dy);
  cudaFreeHost(hx);
}
