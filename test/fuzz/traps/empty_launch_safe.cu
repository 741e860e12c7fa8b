// As empty_launch, but an event orders the streams.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hz dy unified
#include "e2e.h"

int main(int argc, char **) {
  float *hx, *hz, *dx, *dy, *dz;
  cudaStream_t s, t;
  cudaEvent_t done;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&t));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMallocHost(&hz, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  iota<<<argc - 1, Threads>>>(dz, N);
  cudaGetLastError();
  CHECK(cudaEventRecord(done, s));
  CHECK(cudaStreamWaitEvent(t, done, 0));
  iota<<<Blocks, Threads, 0, t>>>(dz, N);
  CHECK(cudaStreamSynchronize(t));
  fill(hx, N, 2);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hz, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hz, N));
  cudaEventDestroy(done);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
  cudaFreeHost(hx);
  cudaFreeHost(hz);
}
