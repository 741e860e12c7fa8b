//===- at-once.cu - Threads whose first allocations come at once ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight threads allocate a large buffer each at the same time, before anything
// else of the process is recorded. None of the eight may be lost.
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const int Threads = 8;
static pthread_barrier_t Start;

static void *allocate(void *) {
  pthread_barrier_wait(&Start);
  return malloc(1 << 20);
}

int main() {
  pthread_t T[Threads];
  pthread_barrier_init(&Start, nullptr, Threads);
  for (pthread_t &One : T)
    pthread_create(&One, nullptr, allocate, nullptr);
  for (pthread_t &One : T) {
    void *Buffer = nullptr;
    pthread_join(One, &Buffer);
    free(Buffer);
  }
  void *D = nullptr;
  cudaMalloc(&D, 1 << 20);
  cudaFree(D);
  puts("done");
}
