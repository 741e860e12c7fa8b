// An input buffer and an output buffer linked to one device buffer; the input is
// cleared while the output is still read, so both together would be wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hin d unified or declined rival
// EXPECT: hout d unified or declined rival
// EXPECT: at-most 1
#include "e2e.h"

int main() {
  float *hin = (float *)malloc(Bytes), *hout = (float *)malloc(Bytes);
  float *d;
  CHECK(cudaMalloc(&d, Bytes));
  for (int round = 0; round < 2; ++round) {
    fill(hin, N, round);
    CHECK(cudaMemcpy(d, hin, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
    CHECK(cudaMemcpy(hout, d, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hout, N));
    memset(hin, 0, Bytes);
    printf("%.0f\n", sum(hout, N));
  }
  cudaFree(d);
  free(hin);
  free(hout);
}
