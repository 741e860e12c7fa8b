// The pointers are static locals: they outlive the call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

void step(int round) {
  static float *hx = nullptr, *dx = nullptr;
  if (!hx) {
    hx = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&dx, Bytes));
    fill(hx, N, 1);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  }
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%d %.0f\n", round, sum(hx, N));
}

int main() {
  for (int round = 0; round < 3; ++round)
    step(round);
}
