// What h held is kept where the allocation of d1 fails: the
// download from d1 then writes nothing, and h's old content is printed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d2 declined device-write-live-host
// EXPECT: h d1 unified
#include "e2e.h"


__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1000;
}

int main() {
  int *h = (int *)malloc(N * sizeof(int)), *d2 = nullptr, *d1 = nullptr;
  if (!h || cudaMalloc(&d2, N * sizeof(int)) != cudaSuccess)
    return 3;
  for (int i = 0; i < N; ++i)
    h[i] = i % 7;
  cudaMemcpy(d2, h, N * sizeof(int), cudaMemcpyHostToDevice);
  inc<<<(N + 255) / 256, 256>>>(d2, N);
  cudaMalloc(&d1, N * sizeof(int));
  cudaMemcpy(d1, d2, N * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemcpy(h, d1, N * sizeof(int), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int i = 0; i < N; ++i)
    sum += h[i];
  printf("%ld %s\n", sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(d1);
  cudaFree(d2);
  free(h);
}
