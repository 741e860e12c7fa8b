// As stream_of_device, created behind the choice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  cudaStream_t s;
  cudaSetDevice(0);
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
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
