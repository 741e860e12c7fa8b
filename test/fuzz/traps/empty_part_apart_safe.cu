// As empty_part_apart, but both merge: the wait of a copy of no bytes is made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d guarded
// ARGS: 0 65536
#include "e2e.h"

__global__ void slow(float *e) {
  float x = 1;
  for (int k = 0; k < 50; ++k)
    x = x * 0.5f + 1;
  e[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main(int, char **argv) {
  const int n = atoi(argv[1]), m = atoi(argv[2]);
  float *e, *d, *h = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&e, Bytes));
  if (cudaMalloc(&d, m * sizeof(float)))
    return 2;
  for (int r = 0; r < 3; ++r) {
    fill(h, N, r);
    slow<<<Blocks, Threads>>>(e);
    CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
    printf("%.0f\n", sum(h, N));
    CHECK(cudaDeviceSynchronize());
  }
  cudaFree(d);
  free(h);
  cudaFree(e);
}
