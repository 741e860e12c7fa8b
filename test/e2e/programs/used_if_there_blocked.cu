// The kernel is told that there is no d1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d2 declined
// EXPECT: h d1 unified or declined
#include "e2e.h"

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1000;
}

__global__ void clear(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 0;
}

int main(int argc, char **) {
  int *h = (int *)malloc(N * sizeof(int)), *d2 = nullptr, *d1 = nullptr;
  if (!h || cudaMalloc(&d2, N * sizeof(int)) != cudaSuccess)
    return 3;
  for (int i = 0; i < N; ++i)
    h[i] = i % 7;
  cudaMemcpy(d2, h, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d2, h, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMalloc(&d1, N * sizeof(int));
  clear<<<(N + 255) / 256, 256>>>(d1, d1 ? N : 0);
  inc<<<(N + 255) / 256, 256>>>(d2, N);
  cudaMemcpy(d1, d2, N * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemcpy(h, d1, N * sizeof(int), cudaMemcpyDeviceToHost);
  long all = 0;
  for (int i = 0; i < N; ++i)
    all += h[i];
  printf("%ld %s\n", all, cudaGetErrorString(cudaGetLastError()));
  cudaFree(d1);
  cudaFree(d2);
  free(h);
}
