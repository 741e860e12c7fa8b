// The host buffer is filled by memcpy from another host array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  static float source[N];
  fill(source, N, 1);
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 3; ++round) {
    memcpy(hx, source, Bytes);
    hx[0] = round;
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
  }
  cudaFree(dx);
  free(hx);
}
