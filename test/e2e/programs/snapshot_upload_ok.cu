// As snapshot_write_ok, but the host waits before it writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hy dy unified
// EXPECT: hx dx unified
// EXPECT: hx dy declined host-write-live-device
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  cudaStream_t stream;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaStreamCreate(&stream));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dy, hx, Bytes, cudaMemcpyHostToDevice, stream));
  CHECK(cudaStreamSynchronize(stream));
  fill(hx, N, 2);
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 7.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  }
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaStreamDestroy(stream);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
