// Device-scope atomics do not stand in the way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

__global__ void scatter(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&out[in[i]], 1u);
    atomicMax(&out[in[i] + n / 2], in[i]);
  }
}

int main() {
  unsigned *hx = (unsigned *)malloc(Bytes), *hy = (unsigned *)malloc(Bytes);
  unsigned *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  for (int i = 0; i < N; ++i)
    hx[i] = (i * 17) % 5000;
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(dy, 0, Bytes));
  scatter<<<Blocks, Threads>>>(dx, dy, N);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  unsigned long total = 0;
  for (int i = 0; i < N; ++i)
    total += (unsigned long)hy[i] * (i % 13);
  printf("%lu\n", total);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
