// The uploads pass the end of the device buffer, which is allocated first and
// makes room for the larger host buffer, and fail.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// ARGS: 65000
#include "e2e.h"

constexpr int Few = 60000;

int main(int, char **argv) {
  int n = atoi(argv[1]);
  float *d, *e;
  CHECK(cudaMalloc(&d, Few * sizeof(float)));
  CHECK(cudaMalloc(&e, Few * sizeof(float)));
  float *h = (float *)malloc(Bytes);
  for (int round = 0; round < 2; ++round) {
    fill(h, N, round);
    printf("%d\n", cudaMemcpy(d, h, n * sizeof(float),
                              cudaMemcpyHostToDevice) == cudaSuccess);
    scale<<<Blocks, Threads>>>(d, e, Few, 2.0f);
    cudaDeviceSynchronize();
  }
  cudaFree(d);
  cudaFree(e);
  free(h);
}
