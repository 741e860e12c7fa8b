// An asynchronous download to pageable memory has arrived on return, in merged
// memory too. The buffer shares storage with the one that is uploaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hx dy declined host-write-live-device|rival
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx, *dy;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  for (int i = 0; i < 3; ++i) {
    fill(hx, N, i);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads, 0, stream>>>(dx, dy, N, 2.0f);
    CHECK(cudaMemcpyAsync(hx, dy, Bytes, cudaMemcpyDeviceToHost, stream));
    printf("%.0f\n", sum(hx, N));
    CHECK(cudaStreamSynchronize(stream));
  }
  cudaStreamDestroy(stream);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
