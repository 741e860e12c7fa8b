// As in_out_group, but the output is made, all zero, when the input is filled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hin dx unified or declined rival
// EXPECT: hout dx unified or declined rival
// EXPECT: at-least 1
// EXPECT: at-most 1
#include "e2e.h"

int main() {
  float *hin = (float *)malloc(Bytes), *dx;
  fill(hin, N, 1);
  float *hout = (float *)calloc(N, sizeof(float));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hin, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hout, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hout, N));
  cudaFree(dx);
  free(hin);
  free(hout);
}
