// As past_end_download, but the download ends where its source does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy, *ds, one = 0;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMalloc(&ds, sizeof(float)));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  printf("%d\n", cudaMemcpy(&one, ds, sizeof(one), cudaMemcpyDeviceToHost) ==
                     cudaSuccess);
  fill(hx, N, 2);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(ds);
  free(hx);
  free(hy);
}
