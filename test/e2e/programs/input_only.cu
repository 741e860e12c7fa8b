// A pair that only an upload links; the result is one number, too small to merge.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__global__ void total(const float *in, int n, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(out, static_cast<unsigned>(in[i]));
}

int main() {
  float *hx = (float *)malloc(Bytes);
  fill(hx, N, 1);
  float *dx;
  unsigned *dsum, hsum = 0;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dsum, sizeof(unsigned)));
  CHECK(cudaMemset(dsum, 0, sizeof(unsigned)));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  total<<<Blocks, Threads>>>(dx, N, dsum);
  CHECK(cudaMemcpy(&hsum, dsum, sizeof(unsigned), cudaMemcpyDeviceToHost));
  printf("%u\n", hsum);
  cudaFree(dx);
  cudaFree(dsum);
  free(hx);
}
