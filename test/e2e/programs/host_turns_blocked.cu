// As host_turns, but the first host buffer is still read when the second has come:
// it keeps memory of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: before dx declined device-write-live-host
// EXPECT: after dx unified
#include "e2e.h"

int main() {
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemset(dx, 0, Bytes));
  float *before = (float *)malloc(Bytes);
  CHECK(cudaMemcpy(before, dx, Bytes, cudaMemcpyDeviceToHost));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  float *after = (float *)malloc(Bytes);
  CHECK(cudaMemcpy(after, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(before, N), sum(after, N));
  free(before);
  free(after);
  CHECK(cudaFree(dx));
}
