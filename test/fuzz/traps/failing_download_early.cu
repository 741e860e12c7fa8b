// As failing_download, but the host buffer comes behind it: kernels that started
// before there was any still read what its first write would change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-in-flight or unified
#include "e2e.h"

const float *Nowhere = nullptr;
float y[N];

int main() {
  float *dx, *dy, ignored = 0;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads>>>(dx, N);
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  printf("%d\n", cudaMemcpy(&ignored, Nowhere, sizeof(ignored),
                            cudaMemcpyDeviceToHost) == cudaSuccess);
  cudaGetLastError();
  float *hx = (float *)malloc(Bytes);
  fill(hx, N, 2);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(y, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(y, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
