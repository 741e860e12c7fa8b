// As view_fields, but the kernel only reads that buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

struct View {
  float *out;
  const float *in;
};
__global__ void addView(View v, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    v.out[i] = v.in[i] + value;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dy, dx, Bytes, cudaMemcpyDeviceToDevice));
  View view = {dy, dx};
  addView<<<Blocks, Threads>>>(view, 2.0f);
  cudaDeviceSynchronize();
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
