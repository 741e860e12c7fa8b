// As launch_array_fails, but an event orders the streams.
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
  int n = N;
  void *args[] = {&dz, &n};
  cudaLaunchKernel((void *)iota, dim3(argc - 1), dim3(Threads), args, 0,
                   nullptr);
  cudaGetLastError();
  CHECK(cudaEventRecord(done, s));
  CHECK(cudaStreamWaitEvent(t, done, 0));
  void *again[] = {&dz, &n};
  CHECK(cudaLaunchKernel((void *)iota, dim3(Blocks), dim3(Threads), again, 0,
                         t));
  CHECK(cudaStreamSynchronize(t));
  fill(hx, N, 2); // is the kernel in s done?
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
