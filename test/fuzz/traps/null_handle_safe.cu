// As null_handle, but the host waits for the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXTRA: legacy.extra.cpp
// FLAGS: -flto --default-stream=per-thread
// EXPECT: h d unified
// EXPECT: out e unified
#include "e2e.h"

int copyInStream(float *to, const float *from, size_t bytes, cudaStream_t s);

__attribute__((noinline)) static int work(cudaStream_t s) {
  float *h = (float *)malloc(Bytes), *out = (float *)malloc(Bytes), *d, *e;
  CHECK(cudaMalloc(&d, Bytes));
  CHECK(cudaMalloc(&e, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  if (copyInStream(e, d, Bytes, s))
    return 3;
  CHECK(cudaDeviceSynchronize());
  fill(h, N, 7);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out, e, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(h, N), sum(out, N));
  cudaFree(d);
  cudaFree(e);
  free(h);
  free(out);
  return 0;
}

int main() { return work(nullptr); }
