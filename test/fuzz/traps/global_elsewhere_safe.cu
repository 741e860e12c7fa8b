// Only main and what is inlined into it use the variables at file scope; what
// reads the host buffer comes after the download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

static float *hx, *dx;

static void show() { printf("%.0f\n", sum(hx, N)); }

int main() {
  hx = static_cast<float *>(malloc(Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 3.0f);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  show();
  cudaFree(dx);
  free(hx);
}
