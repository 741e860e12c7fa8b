// As aggregate_blocked, but the struct is taken apart on the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

struct View {
  float *data;
  int count;
};

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  View view = {dx, N};
  addInPlace<<<Blocks, Threads>>>(view.data, view.count, 2.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
