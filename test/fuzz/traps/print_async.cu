// An asynchronous upload writes nothing of what a kernel printed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-concurrency
#include "e2e.h"

__global__ void sayFirst(const float *data) { printf("device %.0f\n", data[0]); }

int main() {
  float *hx = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemset(dy, 0, Bytes));
  fill(hx, N, 1);
  sayFirst<<<1, 1>>>(dy);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice));
  printf("host\n");
  fflush(stdout);
  CHECK(cudaDeviceSynchronize());
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dy);
  cudaFree(dx);
  free(hx);
}
