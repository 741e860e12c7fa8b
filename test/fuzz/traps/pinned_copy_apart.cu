// The device buffer is larger in this run and stays apart, so the asynchronous
// copies of a pinned block run. They would wait for the stream, where a kernel
// waits for the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined host-concurrency
// ARGS: 512
#include "e2e.h"

__global__ void hold(volatile int *flag) {
  if (threadIdx.x == 0)
    while (*flag == 0)
      ;
}

int main(int, char **argv) {
  const size_t m = Bytes + atoi(argv[1]);
  float *h, *d;
  int *flag;
  cudaStream_t s;
  CHECK(cudaHostAlloc((void **)&flag, sizeof(int), cudaHostAllocMapped));
  *flag = 0;
  CHECK(cudaMallocHost(&h, Bytes));
  CHECK(cudaMalloc(&d, m));
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  fill(h, N, 1);
  hold<<<1, 1, 0, s>>>(flag);
  CHECK(cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s));
  addInPlace<<<Blocks, Threads, 0, s>>>(d, N, 1.f);
  CHECK(cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s));
  *(volatile int *)flag = 1;
  CHECK(cudaStreamSynchronize(s));
  printf("%.0f\n", sum(h, N));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaFree(d));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFreeHost(flag));
}
