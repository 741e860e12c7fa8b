// The second event is not created: its handle stays that of the first, and the
// next record marks the first anew, in a stream without work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-in-flight
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  cudaStream_t s, t;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&t));
  cudaEvent_t first, second;
  CHECK(cudaEventCreate(&first));
  second = first;
  printf("%d\n", cudaEventCreateWithFlags(&second, 0xf000) == cudaSuccess);
  cudaGetLastError();
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaEventRecord(first, s));
  CHECK(cudaEventRecord(second, t));
  CHECK(cudaEventSynchronize(first));
  fill(hx, N, 2);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaEventDestroy(first);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
