// A malloc that cannot succeed returns null, merged or not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
// EXIT: 4
#include "e2e.h"

int main(int argc, char **) {
  size_t bytes = argc > 50 ? Bytes : size_t(1) << 50;
  float *hx = (float *)malloc(bytes);
  if (!hx) {
    printf("no host memory\n");
    return 4;
  }
  float *dx;
  CHECK(cudaMalloc(&dx, bytes));
  iota<<<Blocks, Threads>>>(dx, N);
  CHECK(cudaMemcpy(hx, dx, bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
