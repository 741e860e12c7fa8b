// Nobody keeps the address that the library function returns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

static char name[16];

static void last() { puts("the end"); }

int main() {
  strcpy(name, "still here");
  atexit(last);
  float *hx = static_cast<float *>(malloc(Bytes)), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 3.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%s %.0f\n", name, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
