// Both pointers live in globals that other translation units could reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

float *GlobalHost, *GlobalDevice;

void setUp() {
  GlobalHost = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&GlobalDevice, Bytes));
}

int main() {
  setUp();
  fill(GlobalHost, N, 1);
  CHECK(cudaMemcpy(GlobalDevice, GlobalHost, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(GlobalDevice, N, 1.0f);
  CHECK(cudaMemcpy(GlobalHost, GlobalDevice, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(GlobalHost, N));
  cudaFree(GlobalDevice);
  free(GlobalHost);
}
