// Host lambdas capture the pointers by reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  auto up = [&] { CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice)); };
  auto down = [&] { CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost)); };
  fill(hx, N, 1);
  up();
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  down();
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
