// As loop_writes, but the loop writes all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: p p.device unified
#include "e2e.h"

struct Pair {
  Pair() {
    host = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&device, Bytes));
    memset(host, 0, Bytes);
    again();
  }
  void again() {
    CHECK(cudaMemcpy(device, host, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(device, N, 1.0f);
    CHECK(cudaDeviceSynchronize());
  }
  ~Pair() {
    again();
    CHECK(cudaMemcpy(host, device, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(host, N));
    cudaFree(device);
    free(host);
  }
  float *host, *device;
};

int main() {
  Pair p;
  for (int i = 0; i < N; ++i)
    p.host[i] = 1;
}
