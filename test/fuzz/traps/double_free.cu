// The device buffer is freed twice. The second time is an error, as CUDA says,
// and must not take the host buffer away.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified or declined
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%s\n", cudaGetErrorName(cudaFree(dx)));
  printf("%s\n", cudaGetErrorName(cudaFree(dx)));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  hx[3] = 7;
  printf("%.0f\n", sum(hx, N));
  free(hx);
  printf("%s\n", cudaGetErrorName(cudaFree(dx)));
}
