// One stream waits for an event of the other; the host waits for the second only.
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
  CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMallocHost(&hy, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaEventRecord(e, s));
  CHECK(cudaStreamWaitEvent(t, e, 0));
  CHECK(cudaMemcpyAsync(hy, dy, Bytes, cudaMemcpyDeviceToHost, t));
  CHECK(cudaStreamSynchronize(t));
  fill(hx, N, 2);
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  CHECK(cudaDeviceSynchronize());
  cudaEventDestroy(e);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  cudaFreeHost(hx);
  cudaFreeHost(hy);
}
