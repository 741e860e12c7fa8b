// A texture may still be reading the device buffer when the host writes its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-in-flight
// EXPECT: hy dy unified
#include "e2e.h"

__global__ void look(cudaTextureObject_t in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex1Dfetch<float>(in, N - 1 - i) + tex1Dfetch<float>(in, N);
}

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  cudaResourceDesc of = {};
  of.resType = cudaResourceTypeLinear;
  of.res.linear.devPtr = dx;
  of.res.linear.desc = cudaCreateChannelDesc<float>();
  of.res.linear.sizeInBytes = Bytes;
  cudaTextureDesc how = {};
  cudaTextureObject_t in;
  CHECK(cudaCreateTextureObject(&in, &of, &how, nullptr));
  look<<<Blocks, Threads>>>(in, dy);
  fill(hx, N, 2);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  CHECK(cudaDestroyTextureObject(in));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
