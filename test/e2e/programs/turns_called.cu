// A function that is called twice takes the same buffers to the device, each
// time into buffers of its own; pinned memory, queued copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

static void run(const float *x, float *y, float factor, cudaStream_t stream) {
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemcpyAsync(dx, x, Bytes, cudaMemcpyHostToDevice, stream));
  scale<<<Blocks, Threads, 0, stream>>>(dx, dy, N, factor);
  CHECK(cudaMemcpyAsync(y, dy, Bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
}

int main() {
  float *hx, *hy;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMallocHost(&hy, Bytes));
  fill(hx, N, 1);
  run(hx, hy, 2.0f, stream);
  printf("%.0f\n", sum(hy, N));
  fill(hx, N, 2);
  run(hx, hy, 3.0f, stream);
  printf("%.0f\n", sum(hy, N));
  CHECK(cudaFreeHost(hx));
  CHECK(cudaFreeHost(hy));
  CHECK(cudaStreamDestroy(stream));
}
