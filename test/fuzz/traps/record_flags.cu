// cudaEventRecordWithFlags with flags that it does not know fails: the event is
// not recorded, and waiting for it returns at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-in-flight
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  cudaStream_t s;
  cudaEvent_t done;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  printf("%d\n", cudaEventRecordWithFlags(done, s, 0xf0) == cudaSuccess);
  cudaGetLastError();
  CHECK(cudaEventSynchronize(done));
  fill(hx, N, 2);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaEventDestroy(done);
  cudaStreamDestroy(s);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
