// Where the allocation of d fails, or the download, the zeroes of h are read. A
// block of h's own has them, also one that held something before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"

__global__ void fill(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 7;
}

static void round() {
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

int main() {
  for (int i = 0; i < 2; ++i)
    round(); // the second may get the block of the first
}
