// As rows_whole, but with a gap, in which the kernel writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

int main() {
  constexpr size_t Width = 200 * sizeof(float), Pitch = 256 * sizeof(float);
  constexpr int Rows = N / 256;
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy2D(dx, Pitch, hx, Pitch, Width, Rows, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy2DAsync(hx, Pitch, dx, Pitch, Width, Rows, cudaMemcpyDeviceToHost, 0));
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
