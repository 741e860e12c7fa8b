// Where the allocation of d fails, the download fails, too, and the zeroes of h
// are read. A block of h's own has them, also one that held something before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: first small skipped
// EXPECT: h d unified
#include "e2e.h"

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1;
}

__global__ void fill(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 7;
}

// Leaves a block of h's size that is not zero.
static long fillPool() {
  int *first = (int *)malloc(N * sizeof(int)), *small;
  if (!first || cudaMalloc(&small, 4000))
    return 1;
  for (int i = 0; i < N; ++i)
    first[i] = 5;
  cudaMemcpy(small, first, 4000, cudaMemcpyHostToDevice);
  inc<<<4, 256>>>(small, 1000);
  cudaMemcpy(first, small, 4000, cudaMemcpyDeviceToHost);
  long all = 0;
  for (int i = 0; i < N; ++i)
    all += first[i];
  cudaFree(small);
  free(first);
  return all;
}

int main() {
  // The CPU device has room for the small buffer alone. A GPU has it for both.
  setenv("ECHO_CPU_MEMORY", "200000", 1);
  // What echort keeps is given back where it is in the way, but not pinned memory.
  setenv("ECHO_BACKING", "pinned-split", 0);
  printf("%ld\n", fillPool());
  int *d = nullptr;
  if (cudaMalloc(&d, N * sizeof(int)) == cudaSuccess)
    fill<<<(N + 255) / 256, 256>>>(d, N);
  cudaDeviceSynchronize();
  int *h = (int *)calloc(N, sizeof(int));
  cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost);
  long all = 0;
  for (int i = 0; i < N; ++i)
    all += h[i];
  printf("%ld %s\n", all, cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
  free(h);
}
