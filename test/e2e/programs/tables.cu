// Double buffers: a loop of two rounds allocates them in tables, others upload,
// download and free them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// EXPECT: at-least 1
#include "e2e.h"

int main() {
  float *h[2], *d[2];
  for (int i = 0; i < 2; ++i) {
    h[i] = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&d[i], Bytes));
    fill(h[i], N, i);
  }
  for (int i = 0; i < 2; ++i)
    CHECK(cudaMemcpy(d[i], h[i], Bytes, cudaMemcpyHostToDevice));
  saxpy<<<Blocks, Threads>>>(N, 2.0f, d[0], d[1]);
  addInPlace<<<Blocks, Threads>>>(d[0], N, 1.0f);
  for (int i = 0; i < 2; ++i)
    CHECK(cudaMemcpy(h[i], d[i], Bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 2; ++i) {
    printf("%.0f\n", sum(h[i], N));
    cudaFree(d[i]);
    free(h[i]);
  }
}
