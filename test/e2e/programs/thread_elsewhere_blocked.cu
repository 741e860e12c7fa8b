// A thread of another unit, which a constructor starts, resets the device. This
// unit calls nothing out of sight; the link finds that unit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// FLAGS: -pthread
// EXTRA: thread_elsewhere_blocked.extra.cpp
#include "e2e.h"

#include <atomic>

std::atomic<int> turn{0};

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1000;
}

static long work() {
  int *h = (int *)malloc(N * sizeof(int)), *d = nullptr;
  CHECK(cudaMalloc(&d, N * sizeof(int)));
  for (int i = 0; i < N; ++i)
    h[i] = i % 7;
  CHECK(cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice));
  inc<<<(N + 255) / 256, 256>>>(d, N);
  CHECK(cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost));
  turn = 1;
  while (turn != 2) {
  }
  long sum = 0;
  for (int i = 0; i < N; ++i)
    sum += h[i];
  cudaFree(d);
  free(h);
  return sum;
}

int main() {
  printf("%ld\n", work());
}
