// The default stream is per thread: copies and kernels share it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
// FLAGS: --default-stream per-thread
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  for (int frame = 0; frame < 3; ++frame) {
    fill(hx, N, frame);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
    CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hy, N));
  }
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
