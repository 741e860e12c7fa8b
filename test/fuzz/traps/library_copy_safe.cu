// As library_copy.cu, where the host waits for the kernel before the copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// NEEDS: cublas
// FLAGS: -lcublas
#include "e2e.h"
#include <cublas_v2.h>

int main() {
  float *h = (float *)malloc(Bytes), *out, *d;
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaMallocHost(&out, Bytes));
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads, 0, s>>>(d, N, 1.f);
  CHECK(cudaStreamSynchronize(s));
  printf("%d ", (int)cublasGetVectorAsync(N / 2, sizeof(float), d, 2, out, 1, s));
  CHECK(cudaStreamSynchronize(s));
  printf("%.0f\n", sum(out, N / 2));
  cudaFree(d);
  free(h);
  cudaFreeHost(out);
  cudaStreamDestroy(s);
}
