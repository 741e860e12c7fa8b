// Each chunk is uploaded and changed, and the kernel changes the chunks before
// and behind it, too: the next upload takes what the host wrote.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

int main() {
  constexpr int Chunks = 8, Chunk = N / Chunks;
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  for (int c = 0; c < Chunks; ++c) {
    CHECK(cudaMemcpy(dx + c * Chunk, hx + c * Chunk, Chunk * sizeof(float), cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  }
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
