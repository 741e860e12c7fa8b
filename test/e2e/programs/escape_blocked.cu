// The host pointer is stored in a global that another function uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined pointer-escapes
#include "e2e.h"

float *Kept;

__attribute__((noinline)) double useKept() { return Kept[7] + Kept[N - 1]; }

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  Kept = hx;
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", useKept());
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", useKept(), sum(hx, N));
  cudaFree(dx);
  free(hx);
}
