// As prefix_upload, but the device buffer holds zeros behind what is copied.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-live-device
// EXPECT: hy dy unified
// ARGS: 60000
#include "e2e.h"

int main(int argc, char **argv) {
  int count = argc == 2 ? atoi(argv[1]) : 0;
  float *hx = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemset(dx, 0, Bytes));
  for (int round = 0; round < 3; ++round) {
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
    cudaDeviceSynchronize();
  }
  float *hy = (float *)malloc(Bytes);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
