// A host function holds a stream until the host goes on; a copy from the merged
// buffer behind it must not wait.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-concurrency
// EXPECT: hx dy declined device-write-live-host|host-concurrency
#include "e2e.h"

#include <atomic>

static std::atomic<bool> go;

static void hold(void *) {
  while (!go)
    ;
}

int main() {
  float *hx, *dx, *dy;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
  scale<<<Blocks, Threads, 0, s>>>(dx, dy, N, 2.0f);
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaLaunchHostFunc(s, hold, nullptr));
  // this copy has to wait for its turn, but not the host
  CHECK(cudaMemcpyAsync(dy, hx, Bytes, cudaMemcpyHostToDevice, s));
  go = true;
  CHECK(cudaStreamSynchronize(s));
  float sample[4];
  CHECK(cudaMemcpy(sample, dy, sizeof sample, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sample[3], sum(hx, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  cudaFree(dy);
  cudaFreeHost(hx);
}
