// The last chunk passes the end of the device buffer: CUDA says so, merged or not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified|guarded
#include "e2e.h"

int main(int argc, char **argv) {
  constexpr int Chunks = 8, Chunk = N / Chunks;
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  for (int c = 0; c < Chunks; ++c) {
    cudaError_t error = cudaMemcpy(dx + c * Chunk + 8, hx + c * Chunk + 8, Chunk * sizeof(float), cudaMemcpyHostToDevice);
    printf("%d %s %s\n", c, cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()));
  }
  cudaFree(dx);
  free(hx);
}
