// The same in a stream that follows the legacy stream: an upload may go on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// EXPECT: back out unified
#include "e2e.h"

int main() {
  float *h = static_cast<float *>(malloc(Bytes));
  float *back = static_cast<float *>(malloc(Bytes));
  float *d, *out;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamDefault));
  CHECK(cudaMalloc(&d, Bytes));
  CHECK(cudaMalloc(&out, Bytes));
  for (int round = 0; round < 5; ++round) {
    fill(h, N, round);
    CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads, 0, s>>>(d, out, N, 3.0f);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(back, out, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(back, N));
  }
  cudaFree(d);
  cudaFree(out);
  cudaStreamDestroy(s);
  free(h);
  free(back);
}
