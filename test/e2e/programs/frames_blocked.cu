// As frames_ok, but the next frame is prepared while the kernel runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-in-flight
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 0);
  for (int frame = 0; frame < 4; ++frame) {
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
    fill(hx, N, frame + 1);
    CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hy, N));
  }
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
