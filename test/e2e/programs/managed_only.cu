// Managed memory needs no copies: no candidates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: none
#include "e2e.h"

int main() {
  float *m;
  CHECK(cudaMallocManaged(&m, Bytes));
  fill(m, N, 1);
  addInPlace<<<Blocks, Threads>>>(m, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(m, N));
  CHECK(cudaFree(m));
}
