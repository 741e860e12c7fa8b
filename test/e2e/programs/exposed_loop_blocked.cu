// As exposed, but the address of the first round's buffer, which nobody frees,
// is still on the device in the second round.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined instance-mismatch|ambiguous-pointer
#include "e2e.h"

__device__ float *table[2];
__global__ void addTable(int which, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    table[which][i] += value;
}

int main() {
  float *hx, *dx;
  for (int round = 0; round < 2; ++round) {
    hx = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&dx, Bytes));
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(table, &dx, sizeof(dx), round * sizeof(dx)));
    addTable<<<Blocks, Threads>>>(0, 1.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
    free(hx);
  }
  cudaFree(dx);
}
