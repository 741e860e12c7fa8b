// As pointer_halves, but the kernel loads the address as one, and other numbers
// from beside it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
#include "e2e.h"

struct Words {
  float *pointer[4];
  int count;
  float scale;
};
__global__ void addAt(Words w, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < w.count)
    w.pointer[1][i] += value * w.scale + w.count / N;
}

int main() {
  float *h = (float *)malloc(Bytes), *d;
  Words w = {{}, N, 2.0f};
  CHECK(cudaMalloc(&d, Bytes));
  w.pointer[1] = d;
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addAt<<<Blocks, Threads>>>(w, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, N));
  CHECK(cudaFree(d));
  free(h);
}
