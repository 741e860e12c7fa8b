// A function of the library writes a variable, from which the next buffer gets
// its size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx guarded|declined
#include "e2e.h"

#include <ctime>

int main() {
  setenv("TZ", "AAA1", 1);
  tzset();
  const size_t first = timezone * sizeof(float);
  float *hx = (float *)calloc(timezone, sizeof(float)), *dx;
  setenv("TZ", "BBB2", 1);
  tzset();
  const size_t second = timezone * sizeof(float);
  CHECK(cudaMalloc(&dx, second));
  CHECK(cudaMemcpy(dx, hx, first, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, (int)(first / sizeof(float)), 3.0f);
  CHECK(cudaMemcpy(hx, dx, first, cudaMemcpyDeviceToHost));
  printf("%zu %zu %.0f\n", first, second, sum(hx, 3600));
  cudaFree(dx);
  free(hx);
}
