// As upload_held, but nothing in the stream waits for the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <atomic>

static std::atomic<bool> go;


int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, s));
  go = true;
  addInPlace<<<Blocks, Threads, 0, s>>>(dx, N, 3);
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  free(hx);
}
