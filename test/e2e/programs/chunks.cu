// Chunks go up and down once: each byte keeps its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

int main() {
  constexpr int Chunks = 8, Chunk = N / Chunks;
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  for (int c = 0; c < Chunks; ++c)
    CHECK(cudaMemcpy(dx + c * Chunk, hx + c * Chunk, Chunk * sizeof(float), cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  CHECK(cudaDeviceSynchronize());
  for (int c = 0; c < Chunks; ++c)
    CHECK(cudaMemcpy(hy + c * Chunk, dy + c * Chunk, Chunk * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
