// Another unit's function runs in place of a weak one, and resets the device. The link finds that unit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXTRA: weak_hook_resets.extra.cpp
#include "e2e.h"

__attribute__((weak)) void hook() {}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  if (!hx)
    return 1;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  hook();
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
