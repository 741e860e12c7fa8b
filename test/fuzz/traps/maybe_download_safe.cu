// As maybe_download_blocked, but every path downloads before the host reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  if (argc > 1) {
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("given\n");
  } else {
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  }
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
