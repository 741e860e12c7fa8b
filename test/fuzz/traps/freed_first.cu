// One thread frees its host buffer before it allocates the device buffer; by
// then another thread may have a host buffer at that address. The device buffer
// stays apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <atomic>
#include <thread>

static std::atomic<int> Turn;
static void waitFor(int turn) {
  while (Turn < turn)
    std::this_thread::yield();
}

__attribute__((noinline)) static void work(bool only, double &seen) {
  float *hx = (float *)malloc(Bytes), *dx;
  fill(hx, N, 1);
  if (only) {
    free(hx);
    ++Turn;
    waitFor(2);
  } else {
    ++Turn;
    waitFor(3);
  }
  CHECK(cudaMalloc(&dx, Bytes));
  if (!only)
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  else
    CHECK(cudaMemset(dx, 0, Bytes));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  if (only) {
    ++Turn;
    waitFor(4);
  } else {
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    seen = sum(hx, N);
    free(hx);
    ++Turn;
  }
  cudaFree(dx);
}

int main(int argc, char **) {
  double seen = 0, unseen = 0;
  std::thread first([&] { work(argc < 5, unseen); });
  waitFor(1);
  work(argc > 5, seen);
  first.join();
  printf("%.0f\n", seen);
}
