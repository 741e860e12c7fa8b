// As jumps_out, but the function returns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__attribute__((noinline)) static void work(int seed) {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, seed);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  if (seed < 2)
    return;
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", seed, sum(hx, N));
  cudaFree(dx);
  free(hx);
}

int main() {
  for (int seed = 0; seed < 3; ++seed)
    work(seed);
}
