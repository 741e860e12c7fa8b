// Two threads run the same function, and each reads the other's host buffer
// while its own kernel works in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined
// Which thread makes the n-th call is open:
// NO-FAULT: alloc copy set create launch trap wait memory
#include "e2e.h"

#include <atomic>
#include <thread>

static float *Shown[2];
static std::atomic<int> Ready, Done;
static double Seen[2], Result[2];

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
  Shown[self] = h;
  for (++Ready; Ready < 2;)
    std::this_thread::yield();
  Seen[self] = sum(Shown[1 - self], N);
  for (++Done; Done < 2;)
    std::this_thread::yield();
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
  printf("%.0f %.0f %.0f %.0f\n", Seen[0], Seen[1], Result[0], Result[1]);
}
