// A function that launches on ever smaller parts and calls itself last.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

static int half(const int &n) { return n / 2; }

static void levels(float *in, float *out, int n, int left) {
  scale<<<Blocks, Threads>>>(in, out, n, left);
  if (left > 1) {
    CHECK(cudaMemcpyAsync(in, out, n * sizeof(float), cudaMemcpyDeviceToDevice));
    levels(in, out, half(n), left - 1);
  }
}

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  for (int round = 1; round < 4; ++round) {
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dy, 0, Bytes));
    levels(dx, dy, N, round);
    CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  }
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
