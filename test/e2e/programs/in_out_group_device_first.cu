// As in_out_group; the device buffer comes first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hin dx unified
// EXPECT: hout dx unified
#include "e2e.h"

int main() {
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  float *hin = (float *)malloc(Bytes), *hout = (float *)malloc(Bytes);
  fill(hin, N, 1);
  CHECK(cudaMemcpy(dx, hin, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hout, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hout, N));
  cudaFree(dx);
  free(hin);
  free(hout);
}
