// The buffer is replaced in each round, and the next one gets what a kernel
// changed in the device buffer of the round before, which is not copied back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

int main() {
  float *h = nullptr, *d, seen = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2; ++i) {
      float *more = new float[N];
      if (h)
        memcpy(more, h, Bytes);
      else
        fill(more, N, 1);
      delete[] h;
      h = more;
      seen += more[5];
    }
    CHECK(cudaMalloc(&d, Bytes));
    iota<<<Blocks, Threads>>>(d, N);
    CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
    addInPlace<<<Blocks, Threads>>>(d, N, 100.0f);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
  }
  printf("%.0f\n", seen);
  delete[] h;
}
