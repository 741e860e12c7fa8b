// As wait_event_ok, but another kernel of the first stream still reads the input.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-in-flight
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx, *hy, *dx, *dy, *dz;
  cudaStream_t s, t;
  cudaEvent_t e;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMallocHost(&hy, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaEventRecord(e, s));
  scale<<<Blocks, Threads, 0, s>>>(dx, dz, N, 3.0f);
  CHECK(cudaStreamWaitEvent(t, e, 0));
  CHECK(cudaMemcpyAsync(hy, dy, Bytes, cudaMemcpyDeviceToHost, t));
  CHECK(cudaStreamSynchronize(t));
  fill(hx, N, 2);
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaMemcpy(hy, dz, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaEventDestroy(e);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
  cudaFreeHost(hx);
  cudaFreeHost(hy);
}
