// Whichever stream the variable holds is ordered with the copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"


__global__ void sum(const int *p, int n, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(out, (unsigned)p[i]);
}

int main() {
  int *h = (int *)malloc(N * sizeof(int)), *d = nullptr;
  unsigned *out = nullptr, seen = 0, total = 0;
  CHECK(cudaMalloc(&d, N * sizeof(int)));
  CHECK(cudaMalloc(&out, sizeof(unsigned)));
  CHECK(cudaMemset(out, 0, sizeof(unsigned)));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; ++i)
    h[i] = i % 7;
  CHECK(cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  sum<<<(N + 255) / 256, 256, 0, s>>>(d, N, out);
  CHECK(cudaDeviceSynchronize());
  cudaStreamCreate(&s);
  sum<<<(N + 255) / 256, 256, 0, s>>>(d, N, out);
  CHECK(cudaMemcpy(&seen, out, sizeof(seen), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i)
    h[i] = 1000;
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&total, out, sizeof(total), cudaMemcpyDeviceToHost));
  printf("%u %d\n", total, h[N / 2]);
  cudaFree(d);
  cudaFree(out);
  free(h);
}
