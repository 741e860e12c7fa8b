// As device_copy_stays, but the copy waits for the kernel: CUDA reads any memory
// after it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// EXPECT: out g unified
#include "e2e.h"

int main() {
  float *h = (float *)malloc(Bytes), *out = (float *)malloc(Bytes), *d, *e, *g;
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaMalloc(&d, Bytes));
  CHECK(cudaMalloc(&e, Bytes));
  CHECK(cudaMalloc(&g, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads, 0, s>>>(d, N, 1.f);
  CHECK(cudaMemcpy(e, d, Bytes, cudaMemcpyDeviceToDevice));
  CHECK(cudaStreamSynchronize(s));
  scale<<<Blocks, Threads>>>(e, g, N, 2.f);
  CHECK(cudaMemcpy(out, g, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(out, N));
  cudaFree(d);
  cudaFree(e);
  cudaFree(g);
  cudaStreamDestroy(s);
  free(h);
  free(out);
}
