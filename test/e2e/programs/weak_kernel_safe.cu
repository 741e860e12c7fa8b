// A kernel that nobody can replace does nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"

__global__ void stop(int v) {}

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1000;
}

int main() {
  int *h = (int *)malloc(N * sizeof(int)), *d = nullptr;
  if (!h || cudaMalloc(&d, N * sizeof(int)))
    return 5;
  for (int i = 0; i < N; ++i)
    h[i] = i % 7;
  cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice);
  inc<<<(N + 255) / 256, 256>>>(d, N);
  cudaDeviceSynchronize();
  stop<<<1, 1>>>(1);
  cudaError_t error = cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost);
  long all = 0;
  for (int i = 0; i < N; ++i)
    all += h[i];
  printf("%ld %d\n", all, error != cudaSuccess);
  free(h);
  cudaFree(d);
}
