// A launch that CUDA refuses joins no stream: the wait for the stream does not cover the work of the legacy one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined
#include "e2e.h"

__global__ void sum(const int *p, int n, unsigned *all) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(all, (unsigned)p[i]);
}

__global__ void nothing(int) {}

int main(int argc, char **) {
  int *h = (int *)malloc(N * sizeof(int)), *d = nullptr;
  unsigned *all = nullptr, seen = 0;
  if (!h)
    return 2;
  CHECK(cudaMalloc(&d, N * sizeof(int)));
  CHECK(cudaMalloc(&all, sizeof(unsigned)));
  CHECK(cudaMemset(all, 0, sizeof(unsigned)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < N; ++i)
    h[i] = i % 7;
  CHECK(cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  sum<<<(N + 255) / 256, 256>>>(d, N, all);
  bool launched = false;
  int threads = argc > 9 ? 256 : 4096;
  nothing<<<1, threads, 0, stream>>>((launched = true, 0));
  if (!launched)
    return 1;
  cudaStreamSynchronize(stream);
  for (int i = 0; i < N; ++i)
    h[i] = 1000;
  cudaStreamSynchronize(stream);
  cudaMemcpy(&seen, all, sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned last = 0;
  for (int i = 0; i < N; ++i)
    last += h[i];
  printf("%u %u %d\n", seen, last, cudaGetLastError() != cudaSuccess);
  cudaFree(d);
  cudaFree(all);
  free(h);
}
