// As two_hosts, but the first is not read again and the second not filled: all
// three can share storage.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha dx unified or declined rival
// EXPECT: hb dx unified or declined rival
// EXPECT: at-least 1
#include "e2e.h"

int main() {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(ha, N, 1);
  CHECK(cudaMemcpy(dx, ha, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hb, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hb, N));
  cudaFree(dx);
  free(ha);
  free(hb);
}
