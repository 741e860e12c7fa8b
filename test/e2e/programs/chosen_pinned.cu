// Pinned or pageable memory, as the user asks, with asynchronous copies: only one
// of the two merges with the device buffer, and the other one keeps its copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: pinned d unified
// ARGS:
// ARGS: 1
#include "e2e.h"

int main(int argc, char **argv) {
  float *h, *d;
  const bool Pinned = argc > 1;
  if (Pinned) {
    float *pinned;
    CHECK(cudaMallocHost(&pinned, Bytes));
    h = pinned;
  } else {
    float *plain = (float *)malloc(Bytes);
    h = plain;
  }
  fill(h, N, 3);
  CHECK(cudaMalloc(&d, Bytes));
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  for (int i = 0; i < 3; ++i) {
    CHECK(cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s));
    addInPlace<<<Blocks, Threads, 0, s>>>(d, N, 1.0f);
    CHECK(cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%.0f\n", sum(h, N));
    h[3] += 2;
  }
  CHECK(cudaStreamDestroy(s));
  cudaFree(d);
  if (Pinned)
    cudaFreeHost(h);
  else
    free(h);
}
