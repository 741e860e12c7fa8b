// A host buffer that grew is freed before its device buffer comes, and another
// thread's then lies where it was: the device buffer must not join that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: more d guarded
// FLAGS: -pthread
#include "e2e.h"
#include <atomic>
#include <thread>

static std::atomic<int> Turn{0};
__attribute__((noinline)) static void waitFor(int turn) {
  while (Turn.load() < turn)
    std::this_thread::yield();
}
__attribute__((noinline)) static void next() { ++Turn; }

__attribute__((noinline)) static void run(bool second, int n) {
  float *h = nullptr, *d;
  waitFor(second);
  for (int i = 1; i <= 2; ++i) {
    float *more = (float *)malloc(n / 2 * i * sizeof(float));
    free(h);
    h = more;
    h[0] = i;
  }
  if (second) {
    fill(h, n, 3);
  } else {
    free(h);
    h = nullptr;
  }
  next(); // 1: the first thread's is gone; 2: the second one's is filled
  waitFor(second ? 3 : 2);
  if (second)
    printf("%.0f\n", sum(h, n));
  cudaMalloc(&d, n * sizeof(float));
  iota<<<n / Threads, Threads>>>(d, n);
  cudaDeviceSynchronize();
  next(); // 3: the first thread's kernel is done
  if (h) {
    cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.0f\n", sum(h, n));
  }
  cudaFree(d);
  free(h);
}

int main() {
  std::thread first(run, false, N), second(run, true, N);
  first.join();
  second.join();
}
