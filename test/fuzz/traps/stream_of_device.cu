// A stream of another device: a wait for the one that is current covers no copy
// in it. (Where there is one device the first choice fails.)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unmodelled-api
#include "e2e.h"

int main() {
  cudaStream_t s;
  cudaSetDevice(1);
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  cudaSetDevice(0);
  float *hx = (float *)malloc(Bytes), *dx, *other;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&other, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyAsync(other, dx, Bytes, cudaMemcpyDeviceToDevice, s));
  CHECK(cudaDeviceSynchronize());
  fill(hx, N, 2);
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(hx, other, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  cudaFree(other);
  free(hx);
}
