// longjmp leaves the function that has the buffers, with its kernel running and
// nothing freed; then it is called again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified or declined
#include "e2e.h"

#include <csetjmp>

static jmp_buf Out;

__attribute__((noinline)) static void work(int seed) {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, seed);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  if (seed < 2)
    longjmp(Out, seed + 1);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", seed, sum(hx, N));
  cudaFree(dx);
  free(hx);
}

int main() {
  int seed = setjmp(Out);
  printf("%d\n", seed);
  work(seed);
}
