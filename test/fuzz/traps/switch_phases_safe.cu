// As switch_phases, but each phase does upload, kernel and download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  const char *phases = "abba";
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  for (int step = 0; phases[step]; ++step) {
    fill(hx, N, step);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    switch (phases[step]) {
    case 'a':
      scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
      break;
    case 'b':
      scale<<<Blocks, Threads>>>(dx, dy, N, 3.0f);
      break;
    }
    CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  }
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
