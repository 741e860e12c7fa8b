// Only a part of the device buffer comes back, always the same; the host buffer
// holds nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// ARGS: 60000
#include "e2e.h"

int main(int argc, char **argv) {
  int count = argc == 2 ? atoi(argv[1]) : 0;
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 3; ++round) {
    iota<<<Blocks, Threads>>>(dx, N);
    addInPlace<<<Blocks, Threads>>>(dx, N, round);
    CHECK(cudaMemcpy(hx, dx, count * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, count - 2));
  }
  cudaFree(dx);
  free(hx);
}
