// The host puts the device buffer's address into some two words, and the kernel
// puts it together again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined captured-by-kernel
#include "e2e.h"

struct Words {
  unsigned word[8];
};
__global__ void addAt(Words w, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long address = w.word[3];
  address = address << 32 | w.word[2];
  if (i < N)
    reinterpret_cast<float *>(address)[i] += value;
}

int main(int argc, char **) {
  float *h = (float *)malloc(Bytes), *d;
  Words w = {};
  CHECK(cudaMalloc(&d, Bytes));
  memcpy(&w.word[2 * argc], &d, sizeof(d));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addAt<<<Blocks, Threads>>>(w, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(h, N));
  CHECK(cudaFree(d));
  free(h);
}
