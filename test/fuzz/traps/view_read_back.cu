// The device buffer is overwritten through the pointer in a kernel's struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host|ambiguous-pointer
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
  View view = {dy, dx};
  addView<<<Blocks, Threads>>>(view, 2.0f);
  CHECK(cudaMemset(const_cast<float *>(view.in), 0, Bytes));
  cudaDeviceSynchronize();
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
