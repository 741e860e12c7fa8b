// A function that the C library calls back resets the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined device-reset
#include "e2e.h"

static int order(const void *a, const void *b) {
  static bool done = false;
  if (!done)
    cudaDeviceReset();
  done = true;
  return *(const int *)a - *(const int *)b;
}

int main() {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof(int), order);
  printf("%d %.0f\n", numbers[0], sum(h, N));
  free(h);
}
