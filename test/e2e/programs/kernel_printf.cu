// printf from a kernel comes out in order with the host's after a wait.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__global__ void report(const float *data, int n) {
  printf("device %d %.0f\n", n, data[n - 1]);
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  printf("host %.0f\n", hx[N - 1]);
  fflush(stdout);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  report<<<1, 1>>>(dx, N);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("host %.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
