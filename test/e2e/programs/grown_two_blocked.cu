// Two buffers of one loop stay, and the copy is of the first one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

int main() {
  float *h = nullptr, *last = nullptr, *d, *dOut, seen[256];
  for (int i = 0; i < 2; ++i) {
    float *next = new float[N];
    fill(next, N, i);
    if (i)
      last = next;
    else
      h = next;
  }
  CHECK(cudaMalloc(&dOut, Bytes));
  CHECK(cudaMalloc(&d, Bytes));
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(d, dOut, N, 2.0f);
  CHECK(cudaMemcpy(seen, dOut, sizeof seen, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(seen, 256), sum(last, N));
  CHECK(cudaFree(d));
  CHECK(cudaFree(dOut));
  delete[] h;
  delete[] last;
}
