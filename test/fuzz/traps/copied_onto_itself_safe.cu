// As copied_onto_itself, after the download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

struct Frame {
  float pixels[N];
};
static void assign(Frame &to, const Frame &from) { to = from; }

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  assign(*(Frame *)hx, *(Frame *)hx);
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
