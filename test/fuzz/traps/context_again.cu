// getcontext and setcontext: the function goes back to before the upload.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined complex-control
#include "e2e.h"

#include <ucontext.h>

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  static ucontext_t again;
  static int round = 0;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  getcontext(&again);
  printf("%d %.0f\n", round, sum(hx, N));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  if (++round < 3)
    setcontext(&again);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
