// A negative count makes a size that wraps around to a small one: the loop that
// seems to write the whole buffer never runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

static volatile long Least = -(1L << 62);

int main() {
  long count = Least + N; // times 4 it is N times 4
  float *hx = (float *)malloc(count * sizeof(float)), *dx;
  CHECK(cudaMalloc(&dx, count * sizeof(float)));
  memset(hx, 0, count * sizeof(float));
  for (int round = 0; round < 3; ++round) {
    for (long i = 0; i < count; ++i)
      hx[i] = i % 7;
    CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaMemcpy(hx, dx, count * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
