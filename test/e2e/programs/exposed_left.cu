// As exposed, but nobody frees the buffer: main is over then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

struct Work {
  float *x;
  int count;
};
__global__ void addWork(const Work *work, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < work->count)
    work->x[i] += value;
}
__device__ float *table;
__global__ void addTable(float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    table[i] += value;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  Work *work;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&work, sizeof(Work)));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  Work on = {dx, N};
  CHECK(cudaMemcpy(work, &on, sizeof(on), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(table, &dx, sizeof(dx)));
  addWork<<<Blocks, Threads>>>(work, 1.0f);
  addTable<<<Blocks, Threads>>>(2.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(work);
  free(hx);
}
