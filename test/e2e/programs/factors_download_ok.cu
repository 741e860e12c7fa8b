// A download of n * m bytes of another buffer waits, as a pair of n * m * k
// floats that is merged is not empty.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: few dy guarded
#include "e2e.h"

int main(int argc, char **) {
  size_t n = argc * 64, m = argc * 32, k = argc * 128;
  size_t count = n * m * k;
  float *hx = (float *)malloc(count * sizeof(float)), *dx, *dy;
  char *few = (char *)malloc(n * m);
  CHECK(cudaMalloc(&dx, count * sizeof(float)));
  CHECK(cudaMalloc(&dy, count * sizeof(float)));
  fill(hx, count, 1);
  CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2);
  CHECK(cudaMemcpy(few, dy, m * n, cudaMemcpyDeviceToHost));
  fill(hx, count, 2);
  double total = 0;
  for (size_t i = 0; i < n * m; ++i)
    total += few[i];
  printf("%.0f %.0f\n", sum(hx, count), total);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(few);
}
