// A set of nothing that exists fails and does not join its stream: that the
// stream is done says nothing of the legacy stream's kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-in-flight or unified
// EXPECT: hy dy unified
#include "e2e.h"

float *Nowhere = nullptr;

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  cudaStream_t t;
  CHECK(cudaStreamCreate(&t));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  printf("%d\n", cudaMemsetAsync(Nowhere, 0, Bytes, t) == cudaSuccess);
  cudaGetLastError();
  CHECK(cudaStreamSynchronize(t));
  fill(hx, N, 2);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
