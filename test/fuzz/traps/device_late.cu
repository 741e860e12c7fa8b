// The device is selected anew in each round, with the buffers of the last round
// still there: a wait for the device of this round says nothing of theirs.
// (Where there is one device the second choice fails.)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unmodelled-api
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  fill(hx, N, 1);
  for (int round = 0; round < 2; ++round) {
    cudaSetDevice(round);
    CHECK(cudaMalloc(&dx, Bytes));
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    cudaDeviceSynchronize();
  }
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
