// As computed_goto, but the labels choose the kernel only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  int step = 0;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
#ifndef __CUDA_ARCH__
  static void *const plan[] = {&&one, &&two, &&one, &&done};
next:
  goto *plan[step++];
one:
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  goto next;
two:
  addInPlace<<<Blocks, Threads>>>(dx, N, 2.0f);
  goto next;
done:
#endif
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", step, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
