// As loop_alloc_host, but the host buffer is pinned: a copy of it to another
// device buffer may still read it when the program frees it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined instance-mismatch
#include "e2e.h"

int main() {
  float *dx, *other;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&other, Bytes));
  for (int round = 0; round < 4; ++round) {
    float *hx;
    CHECK(cudaMallocHost(&hx, Bytes));
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyAsync(other, hx, Bytes, cudaMemcpyHostToDevice));
    printf("%.0f\n", sum(hx, N));
    CHECK(cudaFreeHost(hx));
  }
  CHECK(cudaFree(dx));
  CHECK(cudaFree(other));
}
