// realloc fails and leaves the buffer, which is used before the reset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(dx));
  float *larger = (float *)realloc(hx, size_t(argc) << 50);
  if (!larger) {
    printf("%.0f\n", sum(hx, N));
    free(hx);
    CHECK(cudaDeviceReset());
    return 0;
  }
  printf("%.0f\n", sum(larger, N));
  free(larger);
}
