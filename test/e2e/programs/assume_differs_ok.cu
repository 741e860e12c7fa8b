// As assume_ok, but the user is wrong: the host writes one value that the download overwrites, and one block would
// keep. Nobody looks at it, so that outputs agree. ECHO_WATCH sees it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx assumed host-write-live-device
// ASSUME: hx dx
// WATCH: differs
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 4; ++round) {
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N - 1, 1.0f);
    CHECK(cudaDeviceSynchronize());
    if (round == 2)
      hx[N - 1] = 1000;
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N - 1));
  }
  cudaFree(dx);
  free(hx);
}
