// As aggregate, but the kernel keeps the address of its struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined kernel-aggregate
#include "e2e.h"

struct View {
  float *data;
  int count;
};
__device__ const View *kept;
__global__ void addView(View v, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    kept = &v;
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
