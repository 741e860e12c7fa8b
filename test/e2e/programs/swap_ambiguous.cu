// Ping-pong buffers: which one comes home is known at run time only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx from unified
#include "e2e.h"

#include <utility>

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes);
  float *from, *to;
  CHECK(cudaMalloc(&from, Bytes));
  CHECK(cudaMalloc(&to, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(from, hx, Bytes, cudaMemcpyHostToDevice));
  for (int i = 0; i < 3 + argc; ++i) {
    scale<<<Blocks, Threads>>>(from, to, N, 2.0f);
    std::swap(from, to);
  }
  CHECK(cudaMemcpy(hx, from, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(from);
  cudaFree(to);
  free(hx);
}
