// The event is created: its record and the wait for it hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NO-FAULT: create
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  cudaStream_t s;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  cudaEvent_t e = nullptr;
  cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  cudaEventRecord(e, s);
  cudaEventSynchronize(e);
  cudaGetLastError();
  fill(hx, N, 2);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
