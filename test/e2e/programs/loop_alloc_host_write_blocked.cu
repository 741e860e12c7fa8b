// As loop_alloc_host, but only the first host buffer is uploaded: what later
// ones are filled with must not reach the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-live-device
#include "e2e.h"

int main() {
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 4; ++round) {
    float *hx = (float *)malloc(Bytes);
    fill(hx, N, round);
    if (round == 0)
      CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
    free(hx);
  }
  CHECK(cudaFree(dx));
}
