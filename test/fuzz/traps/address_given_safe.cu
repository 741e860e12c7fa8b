// As address_given, but the function looks at what is there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"

__device__ float *table[2];
__device__ unsigned long long seen;
__device__ __noinline__ void note(float *p) {
  seen = 1 + (p[0] > 0);
}
__global__ void addToTable(float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    note(table[0]);
  if (i < N)
    table[0][i] += value;
}

int main() {
  float *h = (float *)malloc(Bytes), *d;
  unsigned long long number = 0;
  CHECK(cudaMalloc(&d, Bytes));
  CHECK(cudaMemcpyToSymbol(table, &d, sizeof(d)));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addToTable<<<Blocks, Threads>>>(1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyFromSymbol(&number, seen, sizeof(number)));
  printf("%.0f %d\n", sum(h, N), number != 0);
  CHECK(cudaFree(d));
  free(h);
}
