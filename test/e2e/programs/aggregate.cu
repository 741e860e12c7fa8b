// The device pointer reaches the kernel inside a struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

struct View {
  float *data;
  int count;
};
__global__ void addView(View v, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v.count)
    v.data[i] += value;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  View view = {dx, N};
  addView<<<Blocks, Threads>>>(view, 2.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
