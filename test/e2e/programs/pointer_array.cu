// The pointers live in arrays that are indexed at run time; whatever the verdict,
// the output must stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
#include "e2e.h"

int main() {
  float *h[3], *d[3];
  for (int i = 0; i < 3; ++i) {
    h[i] = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&d[i], Bytes));
    fill(h[i], N, i);
  }
  for (int round = 0; round < 6; ++round) {
    int k = (round * 2) % 3;
    CHECK(cudaMemcpy(d[k], h[k], Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(d[k], N, 1.0f + k);
    CHECK(cudaMemcpy(h[k], d[k], Bytes, cudaMemcpyDeviceToHost));
  }
  for (int i = 0; i < 3; ++i) {
    printf("%.0f\n", sum(h[i], N));
    cudaFree(d[i]);
    free(h[i]);
  }
}
