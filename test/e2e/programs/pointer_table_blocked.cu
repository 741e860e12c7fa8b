// The device pointer goes to the GPU inside a table of pointers, by which a kernel
// overwrites what the host still reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

__global__ void viaTable(float **table, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2)
    table[0][i] += table[1][i];
}

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  float **table;
  float *entries[2] = {dx, dx + N / 2};
  CHECK(cudaMalloc(&table, sizeof(entries)));
  CHECK(cudaMemcpy(table, entries, sizeof(entries), cudaMemcpyHostToDevice));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  viaTable<<<Blocks, Threads>>>(table, N);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(table);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
