// See thread_elsewhere_blocked.cu.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cuda_runtime.h>
#include <pthread.h>

extern std::atomic<int> turn;

static void *other(void *) {
  while (turn != 1) {
  }
  cudaDeviceReset();
  turn = 2;
  return nullptr;
}

__attribute__((constructor)) static void begin() {
  pthread_t thread;
  pthread_create(&thread, nullptr, other, nullptr);
  pthread_detach(thread);
}
