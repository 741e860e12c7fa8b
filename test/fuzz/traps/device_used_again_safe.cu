// As device_used_again, but each is read before the next one is filled.
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
  CHECK(cudaMemcpy(ha, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(ha, N));
  fill(hb, N, 2);
  CHECK(cudaMemcpy(dx, hb, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 5.0f);
  CHECK(cudaMemcpy(hb, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hb, N));
  cudaFree(dx);
  free(ha);
  free(hb);
}
