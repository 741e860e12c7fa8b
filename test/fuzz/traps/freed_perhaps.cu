// What is freed before the reset may be nothing: the host buffer is still there,
// and merged memory would be gone with the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined device-reset
#include "e2e.h"

int main(int argc, char **) {
  bool done = argc > 5;
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  free(done ? h : nullptr);
  CHECK(cudaDeviceReset());
  if (!done) {
    printf("%.0f\n", sum(h, N));
    free(h);
  }
}
