// posix_memalign fails, and the program uses the old buffer for reading only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
#include "e2e.h"

int main(int argc, char **) {
  float *hx, *dx;
  if (posix_memalign((void **)&hx, 64, Bytes))
    return 1;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  float *old = hx;
  if (posix_memalign((void **)&hx, 64, size_t(argc) << 50) == 0)
    free(old);
  float first = hx[0];
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  float *hy = (float *)malloc(Bytes);
  CHECK(cudaMemcpy(hy, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", first, sum(hy, N));
  CHECK(cudaFree(dx));
  free(hy);
  free(hx);
}
