// The device has the buffer's address, and the program frees other buffers by
// the addresses in a large table that it filled itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

constexpr int Rows = 300;
static float *rows[Rows];
__device__ float *deviceRows[Rows], *table;
__global__ void addTable(float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Rows)
    *deviceRows[i] = value;
  if (i < N)
    table[i] += value;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int i = 0; i < Rows; ++i)
    CHECK(cudaMalloc(&rows[i], sizeof(float)));
  CHECK(cudaMemcpyToSymbol(deviceRows, rows, sizeof(rows)));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(table, &dx, sizeof(dx)));
  addTable<<<Blocks, Threads>>>(2.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  for (int i = 0; i < Rows; ++i)
    cudaFree(rows[i]);
  cudaFree(dx);
  free(hx);
}
