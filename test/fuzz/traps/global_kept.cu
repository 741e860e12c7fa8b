// What a library function returns is the address of a variable at file scope,
// and what runs at exit reads through it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

static char name[16];
static char *kept;

static void last() { printf("%s\n", kept); }

int main() {
  kept = strcpy(name, "still here");
  atexit(last);
  float *hx = static_cast<float *>(malloc(Bytes)), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 3.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
