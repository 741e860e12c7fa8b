// The same, but the program gets the struct back from the device, which might
// have put another address there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

struct Source {
  float2 low, high;
  float *x;
};
static Source host;
__constant__ Source source;
__global__ void addSource() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    source.x[i] += source.high.x - source.low.x;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  fill(hx, N, 1);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  host.x = dx;
  CHECK(cudaMemcpy(host.x, hx, Bytes, cudaMemcpyHostToDevice));
  host.low = make_float2(1, 2);
  host.high = make_float2(3, 4);
  CHECK(cudaMemcpyToSymbol(source, &host, sizeof(host)));
  addSource<<<Blocks, Threads>>>();
  CHECK(cudaMemcpy(hx, host.x, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpyFromSymbol(&host, source, sizeof(host)));
  cudaFree(host.x);
  free(hx);
}
