// A host buffer is written anew right behind an upload that nobody reads, then
// uploaded again; and freed right behind an upload that a kernel reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// EXPECT: back out unified
#include "e2e.h"

int main() {
  for (int round = 0; round < 5; ++round) {
    float *h = static_cast<float *>(malloc(Bytes));
    float *back = static_cast<float *>(malloc(Bytes));
    float *d, *out;
    CHECK(cudaMalloc(&d, Bytes));
    CHECK(cudaMalloc(&out, Bytes));
    fill(h, N, round);
    CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
    fill(h, N, round + 1);
    CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads>>>(d, out, N, 3.0f);
    free(h);
    CHECK(cudaMemcpy(back, out, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(back, N));
    cudaFree(d);
    cudaFree(out);
    free(back);
  }
}
