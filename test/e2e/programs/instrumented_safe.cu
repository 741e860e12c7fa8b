// A tool that counts what functions are entered counts as many as as written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
// FLAGS: -Xarch_host -finstrument-functions
#include "e2e.h"

static int calls;

extern "C" __attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *, void *) {
  ++calls;
}
extern "C" __attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *, void *) {}

static void fill(int *h, int *d, int v) {
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
  printf("%ld, %d calls\n", sum, calls);
  cudaFree(d);
  free(h);
}
