// After a kernel stopped, an allocation of pinned memory fails, also where it would join a block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified or declined
// EXIT: 2
#include "e2e.h"

__global__ void stop(int v) {
  if (v)
    __trap();
}

__global__ void fill(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 1000 + i % 7;
}

int main(int argc, char **) {
  int *h = nullptr, *d = nullptr;
  CHECK(cudaMalloc(&d, N * sizeof(int)));
  fill<<<(N + 255) / 256, 256>>>(d, N);
  stop<<<1, 1>>>(argc < 9);
  printf("%d\n", cudaDeviceSynchronize() != cudaSuccess);
  cudaError_t error = cudaMallocHost(&h, N * sizeof(int));
  printf("%d\n", error != cudaSuccess);
  if (error)
    return 2;
  error = cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost);
  long all = 0;
  for (int i = 0; i < N; ++i)
    all += h[i];
  printf("%ld %d\n", all, error != cudaSuccess);
  cudaFree(d);
  cudaFreeHost(h);
}
