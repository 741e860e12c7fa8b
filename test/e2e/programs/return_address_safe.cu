// A function that sees where it returns to stays a call, in bodies and views.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
#include "e2e.h"

static void *sites[2];
static int calls;

__attribute__((noinline)) static void fill(int *h, int *d, int v) {
  sites[calls++] = __builtin_return_address(0);
  for (int i = 0; i < N; ++i)
    h[i] = v + i % 7;
  CHECK(cudaMemcpy(d, h, N * sizeof(int), cudaMemcpyHostToDevice));
}

__global__ void inc(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += 1000;
}

int main() {
  int *h = (int *)malloc(N * sizeof(int)), *d = nullptr;
  CHECK(cudaMalloc(&d, N * sizeof(int)));
  long sum = 0;
  fill(h, d, 1);
  inc<<<(N + 255) / 256, 256>>>(d, N);
  CHECK(cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i)
    sum += h[i];
  fill(h, d, 2);
  inc<<<(N + 255) / 256, 256>>>(d, N);
  CHECK(cudaMemcpy(h, d, N * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i)
    sum += h[i];
  printf("%ld, %d sites\n", sum, 1 + (sites[0] != sites[1]));
  cudaFree(d);
  free(h);
}
