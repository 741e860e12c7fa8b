// Two results come from one device buffer: the second may share storage with it,
// the first is still read when the next kernel writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha d declined device-write-live-host|rival
// EXPECT: hb d unified
#include "e2e.h"

int main() {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes);
  float *d;
  CHECK(cudaMalloc(&d, Bytes));
  iota<<<Blocks, Threads>>>(d, N);
  CHECK(cudaMemcpy(ha, d, Bytes, cudaMemcpyDeviceToHost));
  addInPlace<<<Blocks, Threads>>>(d, N, 5.0f);
  CHECK(cudaMemcpy(hb, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(ha, N), sum(hb, N));
  cudaFree(d);
  free(ha);
  free(hb);
}
