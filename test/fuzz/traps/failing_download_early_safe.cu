// As failing_download_early, but the download has a source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

float y[N];

int main() {
  float *dx, *dy, ignored = 0;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads>>>(dx, N);
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  printf("%d\n", cudaMemcpy(&ignored, dy, sizeof(ignored),
                            cudaMemcpyDeviceToHost) == cudaSuccess);
  float *hx = (float *)malloc(Bytes);
  fill(hx, N, 2);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(y, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(y, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
