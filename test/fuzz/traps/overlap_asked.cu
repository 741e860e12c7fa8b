// The program asks whether the two buffers overlap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined pointer-compared
#include "e2e.h"

int main() {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", h < d + N && d < h + N, sum(h, N));
  CHECK(cudaFree(d));
  free(h);
}
