// A pinned download in a blocking stream follows work of the legacy stream, so
// that waiting for its own stream covers that work too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx, *dx;
  cudaStream_t s;
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaStreamCreate(&s));
  fill(hx, N, 3);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 2.0f);
  CHECK(cudaMemcpyAsync(hx, dx, Bytes, cudaMemcpyDeviceToHost, s));
  CHECK(cudaStreamSynchronize(s));
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaFree(dx));
  CHECK(cudaFreeHost(hx));
}
