// A cudaMalloc that cannot succeed is reported to the program, merged or not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
// EXIT: 3
#include "e2e.h"

int main(int argc, char **) {
  size_t bytes = argc > 50 ? Bytes : size_t(1) << 50;
  float *dx = nullptr;
  cudaError_t status = cudaMalloc(&dx, bytes);
  if (status != cudaSuccess) {
    printf("%s\n", cudaGetErrorName(status));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return 3;
  }
  float *hx = (float *)malloc(bytes);
  iota<<<Blocks, Threads>>>(dx, N);
  CHECK(cudaMemcpy(hx, dx, bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
