// As lambda_rebinds, but the lambda changes a number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  int seed = 1;
  CHECK(cudaMalloc(&dx, Bytes));
  auto next = [&] { seed = 2; };
  fill(hx, N, seed);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  next();
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", seed, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
