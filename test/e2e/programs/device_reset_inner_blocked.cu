// A function of its own resets the device while the host still needs its buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-reset
#include "e2e.h"

__attribute__((noinline)) static void leave() { cudaDeviceReset(); }

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 7.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  leave();
  printf("%.0f\n", sum(hx, N));
  free(hx);
}
