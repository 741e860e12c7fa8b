// As lambda, but the host still needs what the lambda overwrites.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host|host-read-in-flight
// FLAGS: --extended-lambda
#include "e2e.h"

template <typename Body> __global__ void forEach(int n, Body body) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    body(i);
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  forEach<<<Blocks, Threads>>>(N, [=] __device__(int i) { dx[i] *= 2; });
  cudaDeviceSynchronize();
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
