// A helper returns both pointers through parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

bool allocate(float **host, float **device, size_t bytes) {
  *host = (float *)malloc(bytes);
  if (*host == nullptr)
    return false;
  if (cudaMalloc((void **)device, bytes) != cudaSuccess) {
    free(*host);
    return false;
  }
  return true;
}

int main() {
  float *hx, *dx;
  if (!allocate(&hx, &dx, Bytes))
    return 2;
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
