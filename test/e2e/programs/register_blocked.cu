// The host buffer is page-locked after its allocation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unmodelled-api|inspected-pointer
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaHostRegister(hx, Bytes, cudaHostRegisterDefault));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaHostUnregister(hx));
  cudaFree(dx);
  free(hx);
}
