// OpenMP's threads compute a reference on the host, while the device has the
// buffer's address: they give the GPU no work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// FLAGS: -fopenmp
#include "e2e.h"

__device__ float *table;
__global__ void addTable(float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    table[i] += value;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(table, &dx, sizeof(dx)));
  addTable<<<Blocks, Threads>>>(2.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < N; ++i)
    total += hx[i];
  printf("%.0f\n", total);
  cudaFree(dx);
  free(hx);
}
