// Blocks hand over through volatile accesses and fences: that is the same in
// every kind of memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hflag flag unified
#include "e2e.h"

/// Each block adds its number to its part when the one before it has done so.
__global__ void inTurn(volatile float *data, volatile int *flag) {
  if (threadIdx.x == 0) {
    while (*flag != blockIdx.x)
      ;
    __threadfence_system();
    int before = blockIdx.x ? blockIdx.x - 1 : 0;
    data[blockIdx.x] = data[before] + 1;
    __threadfence();
    *flag = blockIdx.x + 1;
  }
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  int *hflag = (int *)calloc(N, sizeof(int)), *flag;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&flag, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(flag, hflag, Bytes, cudaMemcpyHostToDevice));
  inTurn<<<4, 32>>>(dx, flag);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hflag, flag, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %d\n", sum(hx, N), hflag[0]);
  cudaFree(dx);
  cudaFree(flag);
  free(hx);
  free(hflag);
}
