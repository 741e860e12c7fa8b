// As chunk_work_blocked, but all work comes behind the uploads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  constexpr int Chunks = 8, Chunk = N / Chunks;
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  for (int c = 0; c < Chunks; ++c) {
    CHECK(cudaMemcpy(dx + c * Chunk, hx + c * Chunk, Chunk * sizeof(float), cudaMemcpyHostToDevice));
  }
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
