// As in_out_group, in rounds, with queued copies in a stream; the output comes
// first and is all zero.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hin dx unified
// EXPECT: hout dx unified
#include "e2e.h"

int main() {
  float *hout = (float *)calloc(N, sizeof(float)), *hin = (float *)malloc(Bytes);
  float *dx;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 4; ++round) {
    fill(hin, N, round);
    CHECK(cudaMemcpyAsync(dx, hin, Bytes, cudaMemcpyHostToDevice, stream));
    addInPlace<<<Blocks, Threads, 0, stream>>>(dx, N, 1.0f * round);
    CHECK(cudaMemcpyAsync(hout, dx, Bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("%.0f\n", sum(hout, N));
  }
  CHECK(cudaStreamDestroy(stream));
  cudaFree(dx);
  free(hin);
  free(hout);
}
