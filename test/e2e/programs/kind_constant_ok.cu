// The direction is a constant after inlining.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

void move(void *to, const void *from, size_t bytes, bool up) {
  CHECK(cudaMemcpy(to, from, bytes, up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost));
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  move(dx, hx, Bytes, true);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  move(hx, dx, Bytes, false);
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
