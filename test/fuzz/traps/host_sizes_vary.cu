// The device buffer merges with the first round's host buffer, and what the
// smaller ones of later rounds upload leaves the rest of it as it was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined instance-mismatch
// ARGS: 65536 30000
#include "e2e.h"

float y[N];

int main(int, char **argv) {
  int all = atoi(argv[1]), part = atoi(argv[2]);
  float *d, *dy;
  CHECK(cudaMalloc(&d, all * sizeof(float)));
  CHECK(cudaMalloc(&dy, Bytes));
  for (int round = 0; round < 3; ++round) {
    int n = round == 0 ? all : part;
    float *h = (float *)malloc(n * sizeof(float));
    fill(h, n, round);
    CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads>>>(d, dy, all, 2.0f);
    CHECK(cudaMemcpy(y, dy, Bytes, cudaMemcpyDeviceToHost));
    fill(h, n, 10 + round);
    printf("%.0f %.0f\n", sum(h, n), sum(y, all));
    free(h);
  }
  CHECK(cudaFree(d));
  CHECK(cudaFree(dy));
}
