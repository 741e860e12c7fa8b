// As two_threads, but each thread keeps its buffers to itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified
// Which thread makes the n-th call is open:
// NO-FAULT: alloc copy set create launch trap wait memory
#include "e2e.h"

#include <thread>

static double Result[2];

static void worker(int self) {
  float *h = (float *)malloc(Bytes), *d;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, self);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  addInPlace<<<Blocks, Threads, 0, s>>>(d, N, 1.0f);
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  Result[self] = sum(h, N);
  cudaStreamDestroy(s);
  cudaFree(d);
  free(h);
}

int main() {
  std::thread a(worker, 0), b(worker, 1);
  a.join();
  b.join();
  printf("%.0f %.0f\n", Result[0], Result[1]);
}
