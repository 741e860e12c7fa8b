// Rows that are wider than their distance are an error, merged or not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified|guarded
#include "e2e.h"

int main(int argc, char **argv) {
  constexpr int Rows = N / 256;
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  for (size_t width = 1022; width != 1028; width += 2) {
    cudaError_t error = cudaMemcpy2D(dx, 1024, hx, 1024, width, Rows, cudaMemcpyHostToDevice);
    printf("%zu %s %s\n", width, cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()));
  }
  for (int rows = Rows - 1; rows != Rows + 2; ++rows) {
    cudaError_t error = cudaMemcpy2D(dx, 1024, hx, 1024, 1000, rows, cudaMemcpyHostToDevice);
    printf("%d %s %s\n", rows, cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()));
  }
  cudaFree(dx);
  free(hx);
}
