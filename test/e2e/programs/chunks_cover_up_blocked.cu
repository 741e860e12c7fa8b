// As chunks_cover, but the last chunk is not uploaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-live-device|device-write-live-host
#include "e2e.h"

int main() {
  constexpr int Chunks = 8, Chunk = N / Chunks;
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemset(dx, 0, Bytes));
  for (int round = 0; round < 3; ++round) {
    fill(hx, N, round);
    for (int c = 0; c < Chunks - 1; ++c)
      CHECK(cudaMemcpy(dx + c * Chunk, hx + c * Chunk, Chunk * sizeof(float), cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    for (int c = 0; c < Chunks; ++c)
      CHECK(cudaMemcpy(hx + c * Chunk, dx + c * Chunk, Chunk * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
  }
  cudaFree(dx);
  free(hx);
}
