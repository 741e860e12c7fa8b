// A wait for the thread's own default stream covers no copy of a C++ unit, which is
// in the legacy one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXTRA: legacy.extra.cpp
// FLAGS: -flto --default-stream=per-thread
// EXPECT: h d declined host-write-in-flight
// EXPECT: out e unified
#include "e2e.h"

int copyInLegacyStream(float *to, const float *from, size_t bytes);

int main() {
  float *h = (float *)malloc(Bytes), *out = (float *)malloc(Bytes), *d, *e;
  CHECK(cudaMalloc(&d, Bytes));
  CHECK(cudaMalloc(&e, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  if (copyInLegacyStream(e, d, Bytes))
    return 3;
  CHECK(cudaStreamSynchronize(0));
  fill(h, N, 7);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out, e, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(h, N), sum(out, N));
  cudaFree(d);
  cudaFree(e);
  free(h);
  free(out);
}
