// The library tells the time, and writes no variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <ctime>

int main() {
  setenv("TZ", "AAA1", 1);
  tzset();
  const size_t first = timezone * sizeof(float);
  float *hx = (float *)calloc(timezone, sizeof(float)), *dx;
  printf("%d\n", clock() == -1);
  const size_t second = timezone * sizeof(float);
  CHECK(cudaMalloc(&dx, second));
  CHECK(cudaMemcpy(dx, hx, first, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, (int)(first / sizeof(float)), 3.0f);
  CHECK(cudaMemcpy(hx, dx, first, cudaMemcpyDeviceToHost));
  printf("%zu %zu %.0f\n", first, second, sum(hx, 3600));
  cudaFree(dx);
  free(hx);
}
