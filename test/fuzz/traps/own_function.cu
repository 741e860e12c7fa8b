// Another unit defines a function under a name of the C library's, with its
// prototype: the merge is undone where the program runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXTRA: own_function.extra.cpp
// EXPECT: hx dx unified
#include "e2e.h"

extern "C" int link(const char *what, const char *name) noexcept;

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  link((const char *)hx, "keep");
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 3.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%d\n", link("", "show"));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
