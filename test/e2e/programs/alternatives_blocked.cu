// As alternatives, but the first buffer stays beside the larger one, and is read
// later.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: at-most 1
// ARGS: 0
// ARGS: 1
#include "e2e.h"

int main(int, char **argv) {
  int n = atoi(argv[1]) ? N / 8 : N;
  float *small = (float *)malloc(Bytes / 4), *d, *h = small;
  fill(small, N / 4, 3);
  if (n > N / 4) {
    h = (float *)malloc(n * sizeof(float));
    fill(h, n, 5);
  }
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, n, 1.0f);
  CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(small, N / 4), sum(h, n));
  CHECK(cudaFree(d));
  if (h != small)
    free(h);
  free(small);
}
