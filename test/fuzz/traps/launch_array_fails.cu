// A launch by CUDA's own function, of no blocks, fails and joins no stream: it
// does not order the kernels of two blocking streams.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined copy-in-flight|host-write-in-flight
// EXPECT: hz dy unified
#include "e2e.h"

int main(int argc, char **) {
  float *hx, *hz, *dx, *dy, *dz;
  cudaStream_t s, t;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&t));
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
                   nullptr); // legacy stream, between s and t
  cudaGetLastError();
  void *again[] = {&dz, &n};
  CHECK(cudaLaunchKernel((void *)iota, dim3(Blocks), dim3(Threads), again, 0,
                         t));
  CHECK(cudaStreamSynchronize(t));
  fill(hx, N, 2); // is the kernel in s done?
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hz, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hz, N));
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
  cudaFreeHost(hx);
  cudaFreeHost(hz);
}
