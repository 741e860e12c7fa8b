// Both pointers are members of a local struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

struct Buffer {
  float *host, *device;
  size_t bytes;
};

int main() {
  Buffer b;
  b.bytes = Bytes;
  b.host = (float *)malloc(b.bytes);
  CHECK(cudaMalloc(&b.device, b.bytes));
  fill(b.host, N, 1);
  CHECK(cudaMemcpy(b.device, b.host, b.bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(b.device, N, 1.0f);
  CHECK(cudaMemcpy(b.host, b.device, b.bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(b.host, N));
  cudaFree(b.device);
  free(b.host);
}
