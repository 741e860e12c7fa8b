// The program closes all files but the first three before it starts CUDA, which has files of its own. A merged block
// must not start CUDA before that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"
#include <unistd.h>

// Of the CPU device alone.
extern "C" __attribute__((weak)) int echo_cpu_in_use();

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1;
}

int main() {
  int *h = (int *)malloc(N * sizeof(int)), *d;
  if (!h)
    return 1;
  for (int i = 0; i < N; ++i)
    h[i] = i % 5;
  for (int file = 3; file < 64; ++file)
    close(file);
  printf("%d\n", echo_cpu_in_use ? echo_cpu_in_use() : 0);
  if (cudaMalloc(&d, N * sizeof(int)))
    return 2;
  cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice);
  inc<<<(N + 255) / 256, 256>>>(d, N);
  cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost);
  long all = 0;
  for (int i = 0; i < N; ++i)
    all += h[i];
  printf("%ld\n", all);
  cudaFree(d);
  free(h);
}
