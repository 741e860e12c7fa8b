// As launch_in_helper, but the kernel gets the caller's buffer in a struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: w dw unified
// EXPECT: h d unified
#include "e2e.h"

struct Work {
  float *x;
  const float *y;
  long n;
};

__global__ void add(Work work) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < work.n)
    work.x[i] += work.y[i];
}

void step(float *x) {
  float *w = (float *)malloc(Bytes), *dw;
  fill(w, N, 3);
  CHECK(cudaMalloc(&dw, Bytes));
  CHECK(cudaMemcpy(dw, w, Bytes, cudaMemcpyHostToDevice));
  add<<<Blocks, Threads>>>(Work{x, dw, N});
  CHECK(cudaDeviceSynchronize());
  cudaFree(dw);
  free(w);
}

int main() {
  float *h = (float *)malloc(Bytes), *d;
  fill(h, N, 1);
  CHECK(cudaMalloc(&d, Bytes));
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  step(d);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, N));
  cudaFree(d);
  free(h);
}
