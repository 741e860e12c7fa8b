// fwrite reads the input after an in-place kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host|unknown-call
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  memcpy(hx, "ABCD", 4);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  fwrite(hx, 1, 4, stdout);
  printf("\n%.0f\n", sum(hy + 1, N - 1));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
