// A download of no bytes need not wait for the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy unified
// EXPECT: hx dx declined host-write-in-flight
#include "e2e.h"

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  float few[4] = {0};
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2);
  CHECK(cudaMemcpy(few, dy, (argc - 1) * sizeof(float), cudaMemcpyDeviceToHost));
  fill(hx, N, 2);
  printf("%.0f %.0f\n", sum(hx, N), few[3]);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
