// The host buffer merges with the first round's device buffer, and what the
// smaller ones of later rounds bring leaves the rest of it as it was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined instance-mismatch
// ARGS: 65536 30000
#include "e2e.h"

int main(int, char **argv) {
  int all = atoi(argv[1]), part = atoi(argv[2]);
  float *h = (float *)malloc(all * sizeof(float)), *d;
  for (int round = 0; round < 3; ++round) {
    int n = round == 0 ? all : part;
    CHECK(cudaMalloc(&d, n * sizeof(float)));
    iota<<<Blocks, Threads>>>(d, n);
    CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(h, all));
    addInPlace<<<Blocks, Threads>>>(d, n, 1.0f);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
  }
  free(h);
}
