// Two functions that call each other look again and again by a third one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined host-concurrency
#include "e2e.h"

__device__ __noinline__ int peek(int *flag) { return atomicAdd(flag, 0); }
__device__ __noinline__ int turn(int *flag, int n);
__device__ __noinline__ int wait(int *flag, int n) {
  return peek(flag) ? n : turn(flag, n + 1);
}
__device__ __noinline__ int turn(int *flag, int n) { return wait(flag, n); }
__global__ void look(int *flag, int *out) { *out = wait(flag, 0) >= 0; }

int main() {
  float *h = (float *)malloc(Bytes), *d;
  int *flag, *out, seen = 0, one = 1;
  CHECK(cudaMalloc(&d, Bytes));
  CHECK(cudaMalloc(&flag, 4));
  CHECK(cudaMalloc(&out, 4));
  CHECK(cudaMemcpy(flag, &one, 4, cudaMemcpyHostToDevice));
  look<<<1, 1>>>(flag, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemset(d, 0, Bytes));
  scale<<<Blocks, Threads>>>(d, d, N, 2.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&seen, out, 4, cudaMemcpyDeviceToHost));
  printf("%d %.0f\n", seen, sum(h, N));
  cudaFree(d);
  cudaFree(flag);
  cudaFree(out);
  free(h);
}
