// The host buffer goes to a function among variable arguments, which writes to
// it while the kernel reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unknown-call
// EXPECT: hy dy unified
#include "e2e.h"

#include <cstdarg>

static void fillAll(int count, ...) {
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; ++i)
    fill(va_arg(list, float *), N, 2);
  va_end(list);
}

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  fillAll(1, hx);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
