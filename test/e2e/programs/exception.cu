// An exception leaves between upload and download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
#include "e2e.h"

int main() {
  std::vector<float> hx(N, 1.0f);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 3; ++round) {
    try {
      CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
      addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
      if (round == 1)
        throw round;
      CHECK(cudaMemcpy(hx.data(), dx, Bytes, cudaMemcpyDeviceToHost));
    } catch (int caught) {
      printf("caught %d\n", caught);
    }
    CHECK(cudaDeviceSynchronize());
    printf("%.0f\n", sum(hx.data(), N));
  }
  cudaFree(dx);
}
