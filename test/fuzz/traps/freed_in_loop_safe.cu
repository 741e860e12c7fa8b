// As freed_in_loop, but the host buffer is freed behind the last device buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *dx;
  fill(hx, N, 1);
  for (int i = 0;; ++i) {
    CHECK(cudaMalloc(&dx, Bytes));
    if (i == argc) {
      CHECK(cudaMemset(dx, 0, Bytes));
      CHECK(cudaFree(dx));
      free(hx);
      return 0;
    }
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dx));
    printf("%.0f\n", sum(hx, N));
  }
}
