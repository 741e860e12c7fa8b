// As address_seen, but what is looked at are differences inside one buffer, and
// whether there is one at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: p p.device unified
#include "e2e.h"

struct Pair {
  Pair() {
    host = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&device, Bytes));
    fill(host, N, 1);
    CHECK(cudaMemcpy(device, host, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(device, N, 1.0f);
    CHECK(cudaMemcpy(host, device, Bytes, cudaMemcpyDeviceToHost));
  }
  ~Pair() {
    printf("%.0f\n", sum(host, N));
    cudaFree(device);
    free(host);
  }
  float *host, *device;
};

int main() {
  Pair p;
  float *first = p.host;
  while (*first < 63 && first < p.host + N)
    ++first;
  printf("%td %d\n", first - p.host, p.host != nullptr);
}
