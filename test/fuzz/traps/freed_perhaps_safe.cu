// As freed_perhaps, but what is null was never allocated: where the host buffer
// was, it is freed before the reset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"

int main(int argc, char **) {
  float *h = nullptr, *d = nullptr;
  if (argc <= 5) {
    h = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&d, Bytes));
    fill(h, N, 1);
    CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
    CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(h, N));
  }
  cudaFree(d);
  free(h);
  CHECK(cudaDeviceReset());
}
