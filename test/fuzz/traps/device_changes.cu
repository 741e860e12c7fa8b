// A wait for the device that is current then waits for nothing of the one that
// works. (Where there is one device the second choice fails.)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unmodelled-api
#include "e2e.h"

int main() {
  CHECK(cudaSetDevice(0));
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  cudaSetDevice(1);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  fill(hx, N, 2);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
