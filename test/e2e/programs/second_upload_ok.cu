// Two device buffers filled from one host buffer: one merges, the copy to the
// other stays, and the host may write again when it has returned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy unified
// EXPECT: hx dx unified
// EXPECT: hx dy declined host-write-live-device|rival
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  for (int i = 0; i < 3; ++i) {
    fill(hx, N, i);
    CHECK(cudaMemcpy(dy, hx, Bytes, cudaMemcpyHostToDevice));
    fill(hx, N, i + 5);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    saxpy<<<Blocks, Threads>>>(N, 2.0f, dy, dx);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
  }
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
