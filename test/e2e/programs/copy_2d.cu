// A two-dimensional copy of the left half of every row needs two buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

int main() {
  const size_t Pitch = 256 * sizeof(float);
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  iota<<<Blocks, Threads>>>(dx, N);
  CHECK(cudaMemcpy2D(dx, Pitch, hx, Pitch, Pitch / 2, N / 256, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy2D(hx, Pitch, dx, Pitch, Pitch / 4, N / 256, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
