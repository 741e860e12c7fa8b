// An exception leaves between the kernel and the download; its handler reads
// the host buffer as it was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

#include <stdexcept>

static void check(int round) {
  if (round == 1)
    throw std::runtime_error("no download");
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 3; ++round) {
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    try {
      check(round);
      CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    } catch (const std::exception &e) {
      CHECK(cudaDeviceSynchronize());
      printf("%s\n", e.what());
    }
    printf("%.0f\n", sum(hx, N));
  }
  cudaFree(dx);
  free(hx);
}
