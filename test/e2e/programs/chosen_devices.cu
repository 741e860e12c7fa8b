// One host buffer and one of two device buffers, of which only one is allocated,
// before the host buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h dlarge unified|guarded
// EXPECT: h dsmall unified|guarded
// ARGS:
// ARGS: 1
#include "e2e.h"

int main(int argc, char **argv) {
  float *d;
  size_t n = Bytes;
  if (argc > 1) {
    float *dsmall;
    n = Bytes / 2;
    CHECK(cudaMalloc(&dsmall, n));
    d = dsmall;
  } else {
    float *dlarge;
    CHECK(cudaMalloc(&dlarge, n));
    d = dlarge;
  }
  float *h = (float *)malloc(n);
  const int Count = n / sizeof(float);
  fill(h, Count, 2);
  CHECK(cudaMemcpy(d, h, n, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, Count, 1.0f);
  CHECK(cudaMemcpy(h, d, n, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, Count));
  cudaFree(d);
  free(h);
}
