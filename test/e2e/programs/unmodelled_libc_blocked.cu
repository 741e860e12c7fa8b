// A libc function without a model gets the buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unknown-call
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  memfrob(hx, Bytes);
  memfrob(hx, Bytes);
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
