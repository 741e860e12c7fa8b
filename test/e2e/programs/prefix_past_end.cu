// A copy past the end of both buffers fails, merged or not, with an error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// ARGS: 300000
#include "e2e.h"

int main(int argc, char **argv) {
  size_t count = argc == 2 ? atoi(argv[1]) : 0;
  float *hx = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemset(dy, 0, Bytes));
  fill(hx, N, 1);
  printf("%s\n", cudaGetErrorName(cudaMemcpy(dx, hx, count * sizeof(float),
                                             cudaMemcpyHostToDevice)));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  addInPlace<<<Blocks, Threads>>>(dy, N, 1.0f);
  scale<<<Blocks, Threads>>>(dx, dy, 0, 2.0f);
  cudaDeviceSynchronize();
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
