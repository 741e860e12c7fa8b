// As failing_copy_apart, but both have all bytes: the copy waits for the kernel
// before the host reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d guarded
// ARGS: 65536
#include "e2e.h"

__global__ void slow(float *e) {
  float x = 1;
  for (int k = 0; k < 50; ++k)
    x = x * 0.5f + 1;
  e[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main(int, char **argv) {
  const int m = atoi(argv[1]);
  float *e, *d, *h = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&e, Bytes));
  if (cudaMalloc(&d, m * sizeof(float)))
    return 2;
  for (int r = 0; r < 3; ++r) {
    fill(h, N, r);
    slow<<<Blocks, Threads>>>(e);
    int status = cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
    printf("%d %.0f\n", status, sum(h, N));
    CHECK(cudaDeviceSynchronize());
  }
  cudaFree(d);
  free(h);
  cudaFree(e);
}
