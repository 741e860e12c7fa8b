// Labels as values: control goes back to the upload behind an in-place kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  int step = 0;
#ifndef __CUDA_ARCH__
  static void *const plan[] = {&&upload, &&kernel, &&upload, &&kernel, &&done};
#endif
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
#ifndef __CUDA_ARCH__
next:
  goto *plan[step++];
upload:
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  goto next;
kernel:
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  goto next;
done:
#endif
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", step, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
