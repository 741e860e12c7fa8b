// cudaStreamWaitEvent with flags that it does not know fails: the other stream
// does not wait for the kernel, and that it is done says nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-in-flight
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  cudaStream_t s, t;
  cudaEvent_t done;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaEventRecord(done, s));
  printf("%d\n", cudaStreamWaitEvent(t, done, 0xf0) == cudaSuccess);
  cudaGetLastError();
  CHECK(cudaStreamSynchronize(t));
  fill(hx, N, 2);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaEventDestroy(done);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
