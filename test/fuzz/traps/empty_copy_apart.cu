// The device buffer has no bytes in this run and stays apart. So the copies move
// none and wait for nothing, while the host reads its block beside the kernel:
// memory that the host must not touch then is no place for it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d guarded
// ARGS: 0
#include "e2e.h"

__global__ void slow(float *e) {
  float x = 1;
  for (int k = 0; k < 50; ++k)
    x = x * 0.5f + 1;
  e[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main(int, char **argv) {
  const int n = atoi(argv[1]), m = N;
  float *e, *d, *h = (float *)malloc(m * sizeof(float));
  CHECK(cudaMalloc(&e, Bytes));
  if (cudaMalloc(&d, n * sizeof(float)))
    return 2;
  for (int r = 0; r < 3; ++r) {
    fill(h, m, r);
    slow<<<Blocks, Threads>>>(e);
    CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
    printf("%.0f\n", sum(h, m));
    CHECK(cudaDeviceSynchronize());
  }
  cudaFree(d);
  free(h);
  cudaFree(e);
}
