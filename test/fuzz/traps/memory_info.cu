// The program looks for a leak by asking how much memory is free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

static void work() {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, N));
  CHECK(cudaFree(d));
  free(h);
}

int main() {
  size_t before = 0, after = 0, total = 0;
  CHECK(cudaFree(nullptr));
  CHECK(cudaMemGetInfo(&before, &total));
  work();
  CHECK(cudaMemGetInfo(&after, &total));
  printf("%s\n", before == after ? "no leak" : "leak");
}
