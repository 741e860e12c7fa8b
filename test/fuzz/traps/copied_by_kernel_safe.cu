// As copied_by_kernel, but the first buffer is uploaded anew each time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified or declined rival
// EXPECT: hx dy unified or declined rival
// EXPECT: at-least 1
// EXPECT: at-most 1
#include "e2e.h"

__global__ void copyAll(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    copyAll<<<Blocks, Threads>>>(dx, dy, N);
    addInPlace<<<Blocks, Threads>>>(dy, N, 1.0f);
    CHECK(cudaMemcpy(hx, dy, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
  }
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
