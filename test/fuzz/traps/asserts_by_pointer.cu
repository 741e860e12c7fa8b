// A kernel calls a device function through a table, and that one fails; then
// the download fails, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

#include <cassert>

typedef void (*Check)(int);

__device__ __noinline__ void isSmall(int value) { assert(value < 60); }
__device__ __noinline__ void isFine(int) {}
__device__ Check checks[] = {isSmall, isFine};

/// Knows the buffer of nobody.
__global__ void checkAll(int n, int which) {
  for (int i = 0; i < n; ++i)
    checks[which](i);
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  checkAll<<<1, 1>>>(N, 0);
  cudaError_t status = cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost);
  printf("%s\n%.0f\n", cudaGetErrorName(status), sum(hx, N));
  cudaFree(dx);
  free(hx);
}
