// As setjmp_blocked, but the jump stays inside a function without buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <csetjmp>

static jmp_buf Again;

__attribute__((noinline)) static int rounds() {
  volatile int count = 0;
  int round = setjmp(Again);
  ++count;
  if (round < 2)
    longjmp(Again, round + 1);
  return count;
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  int count = rounds();
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", count, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
