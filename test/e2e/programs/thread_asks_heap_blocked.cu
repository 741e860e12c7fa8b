// Another thread, which the unit starts, asks how much of the heap is mapped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined heap-observed
// FLAGS: -pthread
#include "e2e.h"

#include <atomic>
#include <malloc.h>
#include <pthread.h>

static std::atomic<int> turn{0};

static void *other(void *) {
  while (turn != 1) {
  }
  printf("%d\n", mallinfo2().hblkhd > 200000);
  turn = 2;
  return nullptr;
}

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
  pthread_t thread;
  pthread_create(&thread, nullptr, other, nullptr);
  long sum = work();
  pthread_join(thread, nullptr);
  printf("%ld\n", sum);
}
