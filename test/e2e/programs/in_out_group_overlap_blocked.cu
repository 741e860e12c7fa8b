// As in_out_group, but the host asks whether the two overlap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hin dx unified or declined rival
// EXPECT: hout dx unified or declined rival
// EXPECT: at-least 1
// EXPECT: at-most 1
#include "e2e.h"

int main() {
  float *hin = (float *)malloc(Bytes), *hout = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hin, N, 1);
  CHECK(cudaMemcpy(dx, hin, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hout, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hout, N));
  if ((hin < hout + N) & (hout < hin + N))
    puts("overlap");
  cudaFree(dx);
  free(hin);
  free(hout);
}
