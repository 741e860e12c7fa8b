// A kernel polls what the host writes later; a set of device memory behind it
// waits where that is pinned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-concurrency
#include "e2e.h"

__global__ void poll(volatile int *flag) {
  while (!*flag)
    ;
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  int *flag;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
  *flag = 0;
  poll<<<1, 1>>>(flag);
  CHECK(cudaMemset(dx, 0, Bytes));
  addInPlace<<<Blocks, Threads>>>(dx, N, 3);
  *(volatile int *)flag = 1;
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
  cudaFreeHost(flag);
}
