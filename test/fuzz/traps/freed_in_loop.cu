// A later round frees the host buffer before it allocates the device buffer: the
// variable by which a round finds its partner is not of that round.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined instance-mismatch
#include "e2e.h"

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *dx;
  fill(hx, N, 1);
  for (int i = 0;; ++i) {
    if (i == argc)
      free(hx);
    CHECK(cudaMalloc(&dx, Bytes));
    if (i == argc) {
      CHECK(cudaMemset(dx, 0, Bytes));
      CHECK(cudaFree(dx));
      return 0;
    }
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dx));
    printf("%.0f\n", sum(hx, N));
  }
}
