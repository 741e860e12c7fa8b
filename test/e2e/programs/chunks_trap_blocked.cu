// As chunks_cover, but a kernel stops with an error, so that no copy comes back:
// the host keeps what it had.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

__global__ void stops(float *data, int n, int bad) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += 1.0f;
  if (i == bad)
    asm("trap;");
}

int main() {
  constexpr int Chunks = 8, Chunk = N / Chunks;
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 3; ++round) {
    fill(hx, N, round);
    for (int c = 0; c < Chunks; ++c)
      cudaMemcpy(dx + c * Chunk, hx + c * Chunk, Chunk * sizeof(float), cudaMemcpyHostToDevice);
    stops<<<Blocks, Threads>>>(dx, N, round == 1 ? N - 1 : -1);
    for (int c = 0; c < Chunks; ++c)
      cudaMemcpy(hx + c * Chunk, dx + c * Chunk, Chunk * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.0f\n", sum(hx, N));
  }
  cudaFree(dx);
  free(hx);
}
