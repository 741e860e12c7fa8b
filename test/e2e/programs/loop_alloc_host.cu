// The host buffer is allocated in every round, the device buffer once: one host
// buffer after the other joins it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 4; ++round) {
    float *hx = (float *)malloc(Bytes);
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
    free(hx);
  }
  CHECK(cudaFree(dx));
}
