// As size_of_file, but the file is elsewhere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

static size_t count = N;

int main() {
  FILE *file = fopen("/dev/null", "w");
  int all = count;
  float *hx = (float *)malloc(count * sizeof(float)), *dx;
  fill(hx, all, 1);
  CHECK(cudaMalloc(&dx, count * sizeof(float)));
  CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(dx, 0, count * sizeof(float)));
  fputs("text", file);
  fflush(file);
  CHECK(cudaMemcpy(hx, dx, count * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%zu %.0f\n", count, sum(hx, all));
  cudaFree(dx);
  free(hx);
  fclose(file);
}
