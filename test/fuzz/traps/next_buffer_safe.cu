// The host downloads each round's device buffer before it reads. That of the
// next round is filled by the GPU alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  fill(hx, N, 1);
  for (int round = 0; round < 3; ++round) {
    float *dx;
    CHECK(cudaMalloc(&dx, Bytes));
    if (round == 0)
      CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    else
      CHECK(cudaMemset(dx, 0, Bytes));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f + round);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
    CHECK(cudaFree(dx));
  }
  free(hx);
}
