// Some paths leave before the upload, others before the download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXIT: 5
#include "e2e.h"

int work(int mode) {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, mode);
  if (mode == 0) {
    printf("early %.0f\n", sum(hx, N));
    cudaFree(dx);
    free(hx);
    return 1;
  }
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  if (mode == 1) {
    CHECK(cudaDeviceSynchronize());
    cudaFree(dx);
    free(hx);
    return 2;
  }
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("late %.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
  return 2;
}

int main(int argc, char **) { return work(argc - 1) + work(argc) + work(argc + 1); }
