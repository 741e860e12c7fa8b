// Where GPU work may wait for the host, a copy of perhaps no bytes adds a wait
// only if code of the GPU may be in flight: at the start of main none is.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.busy -DBUSY
// RUN: FileCheck --input-file=%t.busy --check-prefix=BAD %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.async -DASYNC
// RUN: FileCheck --input-file=%t.async --check-prefix=BAD %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.early -DEARLY
// RUN: FileCheck --input-file=%t.early --check-prefix=BAD %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.thread -DTHREAD
// RUN: FileCheck --input-file=%t.thread --check-prefix=BAD %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.other -DOTHER
// RUN: FileCheck --input-file=%t.other --check-prefix=BAD %s
#include "../../../Inputs/case.h"
#include <iostream>
#include <thread>

__global__ void polls(volatile int *flag) {
  while (!*flag)
    ;
}
int *flag;

#ifdef EARLY
struct Early {
  Early() { polls<<<1, 1>>>(flag); }
} early;
#endif

#ifdef OTHER
int run(int n) {
#else
int main(int n, char **) {
#endif
#ifdef THREAD
  std::thread other([] { polls<<<1, 1>>>(flag); });
  other.detach();
#endif
  // OK: host-work-idle.cu:[[#@LINE+2]]:3 h + {{.*}} unified
  // BAD: host-work-idle.cu:[[#@LINE+1]]:3 h + {{.*}} declined {{.*}} host-concurrency
  PAIR;
  memset(h, 0, Bytes);
#ifdef BUSY
  polls<<<1, 1>>>(flag);
#endif
  // What a copy left behind waits for nobody.
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
#ifdef ASYNC
  cudaMemcpyAsync(d, h, n, cudaMemcpyHostToDevice);
#else
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
#endif
  update<<<1, 1>>>(d);
  polls<<<1, 1>>>(flag);
  cudaDeviceSynchronize();
  DOWN;
  LOOK;
  FREE;
  std::cout << n;
  return 0;
}
