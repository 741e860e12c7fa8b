// The direction is known at run time only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unknown-copy-kind
#include "e2e.h"

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  cudaMemcpyKind kind = argc > 1 ? cudaMemcpyDefault : cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy(dx, hx, Bytes, kind));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
