// As grows_in_loop, but both are allocated once, with the final size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx = nullptr;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int frame = 0; frame < 4; ++frame) {
    fill(hx, N, frame);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
  }
  cudaFree(dx);
  free(hx);
}
