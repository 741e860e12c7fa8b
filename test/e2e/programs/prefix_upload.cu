// Only a part of the host buffer goes to the device, which has nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
// ARGS: 60000
#include "e2e.h"

int main(int argc, char **argv) {
  int count = argc == 2 ? atoi(argv[1]) : 0;
  float *hx = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  for (int round = 0; round < 3; ++round) {
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads>>>(dx, dy, count, 2.0f);
    cudaDeviceSynchronize();
  }
  float *hy = (float *)malloc(Bytes);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, count));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
