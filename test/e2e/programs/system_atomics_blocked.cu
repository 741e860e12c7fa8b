// System-scope atomics can mean something else on other memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined system-atomics
#include "e2e.h"

__global__ void count(unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd_system(&bins[i / 2], 1u);
}

int main() {
  unsigned *hx = (unsigned *)calloc(N, sizeof(unsigned));
  unsigned *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  count<<<Blocks, Threads>>>(dx, N);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  unsigned long total = 0;
  for (int i = 0; i < N; ++i)
    total += hx[i] * (i % 5);
  printf("%lu\n", total);
  cudaFree(dx);
  free(hx);
}
