// Stream-ordered allocation; whatever the verdict, the output must stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaMallocAsync((void **)&dx, Bytes, s));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
  addInPlace<<<Blocks, Threads, 0, s>>>(dx, N, 1.0f);
  CHECK(cudaMemcpyAsync(hx, dx, Bytes, cudaMemcpyDeviceToHost, s));
  CHECK(cudaFreeAsync(dx, s));
  CHECK(cudaStreamSynchronize(s));
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaStreamDestroy(s));
  free(hx);
}
