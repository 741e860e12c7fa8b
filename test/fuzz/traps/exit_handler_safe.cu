// As exit_handler, but handler and object know a number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

static double Last;
static void atEnd() { printf("handler %.0f\n", Last); }

struct Holder {
  ~Holder() { printf("object %.0f\n", kept); }
  double kept = 0;
};
static Holder Object;

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  Last = Object.kept = sum(hx, N);
  atexit(atEnd);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  cudaFree(dx);
}
