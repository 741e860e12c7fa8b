// The host buffer's address goes through an array of bytes, and the host writes
// through what comes out while the kernel reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  unsigned char raw[sizeof(hx)], turned[sizeof(hx)];
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  memcpy(raw, &hx, sizeof(hx));
  for (size_t i = 0; i < sizeof(hx); ++i)
    turned[i] = raw[sizeof(hx) - 1 - i];
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  float *again;
  for (size_t i = 0; i < sizeof(hx); ++i)
    raw[i] = turned[sizeof(hx) - 1 - i];
  memcpy(&again, raw, sizeof(again));
  fill(again, N, 2);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
