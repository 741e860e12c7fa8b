// A thread of OpenMP's launches a kernel that finds the buffer's address in
// device memory, when the host's copy of the buffer is still needed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined pointer-escapes
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
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    addTable<<<Blocks, Threads>>>(2.0f);
    cudaDeviceSynchronize();
  }
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < N; ++i)
    total += hx[i];
  printf("%.0f\n", total);
  cudaFree(dx);
  free(hx);
}
