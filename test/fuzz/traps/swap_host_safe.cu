// As swap_host, but what is swapped are two numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: now dx unified
#include "e2e.h"

#include <utility>

int main(int argc, char **) {
  float *now = (float *)malloc(Bytes), *dx;
  int seed = 1, other = 2;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int i = 0; i < 3 + argc; ++i) {
    fill(now, N, seed);
    CHECK(cudaMemcpy(dx, now, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaMemcpy(now, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(now, N));
    std::swap(seed, other);
  }
  cudaFree(dx);
  free(now);
}
