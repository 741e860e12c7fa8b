// Hints about where memory shall be fail for memory that is not managed, and
// would not for a merged block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unmodelled-api
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  cudaError_t status = cudaStreamAttachMemAsync(0, dx, 0, cudaMemAttachHost);
  printf("%d\n", status == cudaSuccess);
  cudaGetLastError();
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
