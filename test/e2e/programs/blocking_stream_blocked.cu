// As blocking_stream_ok, but the kernel's stream is non-blocking: the download
// does not wait for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-in-flight
// EXPECT: hy dy unified
// EXPECT: hz dz unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *hz = (float *)malloc(Bytes);
  float *dx, *dy, *dz;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  CHECK(cudaMemset(dz, 0, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  fill(hx, N, 2);
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f %.0f\n", sum(hx, N), sum(hy, N), sum(hz, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dz);
  free(hx);
  free(hy);
  free(hz);
}
