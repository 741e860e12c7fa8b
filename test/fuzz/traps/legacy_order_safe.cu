// As legacy_order, but an event orders the two streams.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hz dz unified
#include "e2e.h"

int main() {
  float *hx, *hz, *dx, *dy, *dz;
  cudaStream_t s, t;
  cudaEvent_t done;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMallocHost(&hz, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemset(dy, 0, Bytes));
  CHECK(cudaDeviceSynchronize());
  iota<<<Blocks, Threads, 0, s>>>(dy, N);
  CHECK(cudaEventRecord(done, s));
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, t));
  CHECK(cudaStreamWaitEvent(t, done, 0));
  saxpy<<<Blocks, Threads, 0, t>>>(N, 2.0f, dy, dx);
  scale<<<Blocks, Threads, 0, t>>>(dx, dz, N, 3.0f);
  CHECK(cudaMemcpyAsync(hz, dz, Bytes, cudaMemcpyDeviceToHost, t));
  CHECK(cudaStreamSynchronize(t));
  printf("%.0f\n", sum(hz, N));
  CHECK(cudaDeviceSynchronize());
  cudaEventDestroy(done);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
  cudaFreeHost(hx);
  cudaFreeHost(hz);
}
