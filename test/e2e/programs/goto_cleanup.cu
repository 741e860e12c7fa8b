// C style: every error jumps to the clean-up at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXIT: 0
#include "e2e.h"

int main() {
  int status = 1;
  float *hx = NULL, *dx = NULL;
  hx = (float *)malloc(Bytes);
  if (!hx)
    goto out;
  if (cudaMalloc((void **)&dx, Bytes) != cudaSuccess)
    goto out;
  fill(hx, N, 1);
  if (cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    goto out;
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  if (cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
    goto out;
  printf("%.0f\n", sum(hx, N));
  status = 0;
out:
  cudaFree(dx);
  free(hx);
  return status;
}
