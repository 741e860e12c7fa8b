// stdio writes how large a file in memory is, which is the size of a copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

static size_t count = N;
static char *text;

int main() {
  FILE *file = open_memstream(&text, &count);
  count = N;
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
