// As in_out_group, but the input is written anew while the output is needed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hin dx unified
// EXPECT: hout dx declined rival
#include "e2e.h"

int main() {
  float *hin = (float *)malloc(Bytes), *hout = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hin, N, 1);
  CHECK(cudaMemcpy(dx, hin, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hout, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hout, N));
  fill(hin, N, 2);
  printf("%.0f\n", sum(hout, N));
  CHECK(cudaMemcpy(dx, hin, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 2.0f);
  CHECK(cudaMemcpy(hin, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hin, N));
  cudaFree(dx);
  free(hin);
  free(hout);
}
