// The user knows that no value is negative, so that the host corrects none while the device's content is needed. Echo
// does not: it declines, unless the user vouches for the pair. Contents agree at each copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx assumed host-write-live-device
// ASSUME: hx dx
// WATCH: same
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  for (int round = 0; round < 4; ++round) {
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < N; ++i)
      if (hx[i] < 0)
        hx[i] = 0;
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  }
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
