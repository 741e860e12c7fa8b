// A kernel with dynamic shared memory and barriers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

__global__ void reverseTiles(const float *in, float *out) {
  extern __shared__ float tile[];
  int base = blockIdx.x * blockDim.x;
  tile[threadIdx.x] = in[base + threadIdx.x];
  __syncthreads();
  out[base + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  for (int i = 0; i < N; ++i)
    hx[i] = i % 1000;
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  reverseTiles<<<Blocks, Threads, Threads * sizeof(float)>>>(dx, dy);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  double total = 0;
  for (int i = 0; i < N; ++i)
    total += hy[i] * (i % 11);
  printf("%.0f %.0f\n", hy[0], total);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
