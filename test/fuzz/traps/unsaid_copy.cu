// Copies inside the device let CUDA find their direction by the pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__device__ float Symbol[N];
constexpr cudaMemcpyKind Kind = cudaMemcpyDefault;

int main() {
  float *hx = (float *)malloc(Bytes), *dx, *dy, *dz;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads, 0, s>>>(dx, N, 1.0f);
  CHECK(cudaMemcpyAsync(dy, dx, Bytes, Kind, s));
  CHECK(cudaMemcpy2DAsync(dz, 256, dx, 256, 256, Bytes / 256, Kind, s));
  CHECK(cudaMemcpyToSymbolAsync(Symbol, dx, Bytes, 0, Kind, s));
  CHECK(cudaStreamSynchronize(s));
  float seen[3];
  CHECK(cudaMemcpy(seen, dy + N - 1, 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(seen + 1, dz + N - 1, 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyFromSymbol(seen + 2, Symbol, 4, Bytes - 4));
  printf("%.0f %.0f %.0f\n", seen[0], seen[1], seen[2]);
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
  CHECK(cudaFree(dz));
  free(hx);
}
