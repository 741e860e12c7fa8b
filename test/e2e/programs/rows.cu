// Rows with gaps, as far apart on both sides: each byte keeps its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  constexpr size_t Width = 200 * sizeof(float), Pitch = 256 * sizeof(float);
  constexpr int Rows = N / 256;
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy2D(dx, Pitch, hx, Pitch, Width, Rows, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DAsync(hx, Pitch, dx, Pitch, Width, Rows, cudaMemcpyDeviceToHost, 0));
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
