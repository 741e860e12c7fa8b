// In some rounds there is no host buffer: the download fails, and waits for
// nothing. The next round's host buffer is written while work goes on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// EXPECT: out e unified
#include "e2e.h"

int main() {
  float *e;
  CHECK(cudaMalloc(&e, Bytes));
  CHECK(cudaMemset(e, 0, Bytes));
  CHECK(cudaDeviceSynchronize());
  for (int round = 0; round < 4; ++round) {
    int n = (round & 1) * N;
    float *h = n ? (float *)malloc(n * sizeof(float)) : nullptr, *d;
    if (h)
      fill(h, n, round);
    CHECK(cudaMalloc(&d, Bytes));
    iota<<<Blocks, Threads>>>(d, N);
    addInPlace<<<Blocks, Threads>>>(e, N, 1.0f);
    cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
    if (h)
      printf("%.0f\n", sum(h, n));
    free(h); // d stays: to free it would be a wait
  }
  cudaGetLastError();
  float *out = (float *)malloc(Bytes);
  CHECK(cudaMemcpy(out, e, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(out, N));
  cudaFree(e);
  free(out);
}
