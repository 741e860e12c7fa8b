// No host buffer at all: no candidates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: none
#include "e2e.h"

int main() {
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  iota<<<Blocks, Threads>>>(dx, N);
  CHECK(cudaDeviceSynchronize());
  float first;
  CHECK(cudaMemcpy(&first, dx + 42, sizeof(first), cudaMemcpyDeviceToHost));
  printf("%.0f\n", first);
  cudaFree(dx);
}
