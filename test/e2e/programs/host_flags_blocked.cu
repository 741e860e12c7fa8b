// cudaHostAlloc refuses flags that it does not know.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
// EXIT: 2
#include "e2e.h"

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1000;
}

int main() {
  int *h = nullptr, *d = nullptr;
  cudaError_t error = cudaHostAlloc(&h, N * sizeof(int), 0x40);
  printf("%d\n", error);
  if (error)
    return 2;
  CHECK(cudaMalloc(&d, N * sizeof(int)));
  for (int i = 0; i < N; ++i)
    h[i] = i % 7;
  CHECK(cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice));
  inc<<<(N + 255) / 256, 256>>>(d, N);
  CHECK(cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost));
  long all = 0;
  for (int i = 0; i < N; ++i)
    all += h[i];
  printf("%ld\n", all);
  cudaFree(d);
  cudaFreeHost(h);
}
