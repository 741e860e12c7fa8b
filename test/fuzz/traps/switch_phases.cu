// A state machine: the order of upload, host write and kernel is in a table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
// EXPECT: hy dy unified or declined
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  const char *phases = "wuwkrwkr";
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  for (int step = 0; phases[step]; ++step)
    switch (phases[step]) {
    case 'w':
      fill(hx, N, step);
      break;
    case 'u':
      CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
      break;
    case 'k':
      scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
      break;
    case 'r':
      CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
      printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
      break;
    }
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
