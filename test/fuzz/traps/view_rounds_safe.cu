// As view_rounds, but each round reads its own buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
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
  float *hx, *dx, *dy;
  View view = {nullptr, nullptr};
  CHECK(cudaMalloc(&dy, Bytes));
  for (int round = 0; round < 3; ++round) {
    hx = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&dx, Bytes));
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    if (round == 0)
      view = {dy, dx};
    addView<<<Blocks, Threads>>>((View{dy, dx}), 2.0f);
    cudaDeviceSynchronize();
    free(hx);
  }
  float *hy = (float *)malloc(Bytes);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dy);
  free(hy);
}
