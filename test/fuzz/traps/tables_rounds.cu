// Where a round puts its buffers changes, so that the tables still have those of
// the round before: a kernel writes its device buffer, the host reads the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined instance-mismatch
#include "e2e.h"

int main() {
  float *hosts[2] = {nullptr, nullptr}, *devices[2] = {nullptr, nullptr};
  for (int round = 0; round < 4; ++round) { // nobody frees the buffers
    float *h = (float *)malloc(Bytes), *d;
    CHECK(cudaMalloc(&d, Bytes));
    hosts[round & 1] = h;
    devices[round & 1] = d;
    fill(h, N, round);
    CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
    if (round > 0)
      addInPlace<<<Blocks, Threads>>>(devices[1 - (round & 1)], N, 1.0f);
    CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
    if (round > 0)
      printf("%.0f\n", sum(hosts[1 - (round & 1)], N));
  }
}
