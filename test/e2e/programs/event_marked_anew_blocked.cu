// A function in another file records the event in another stream: waiting for
// the event then says nothing of the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXTRA: event_marked_anew_blocked.extra.cpp
// EXPECT: hy dy unified
// EXPECT: hx dx declined host-write-in-flight|stream-capture
#include "e2e.h"

void mark(cudaEvent_t event, cudaStream_t stream);

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  cudaStream_t first, second;
  cudaEvent_t event;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreate(&event));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads, 0, first>>>(dx, dy, N, 2);
  CHECK(cudaEventRecord(event, first));
  mark(event, second);
  CHECK(cudaEventSynchronize(event));
  fill(hx, N, 2);
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
