// Where the program has threads, one that reads or writes a file may wait for
// another, which wrote a variable.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <iostream>
#include <pthread.h>
#include <unistd.h>

static size_t bytes = 1 << 20;
void *worker(void *to) {
  bytes += 4096;
  fputs("go\n", (FILE *)to);
  return nullptr;
}
UNSAFE(void start(pthread_t *t, void *to) { pthread_create(t, 0, worker, to); })

// OK: pipes.cu:[[#@LINE+3]]:23 h + {{.*}} unified
// BAD: pipes.cu:[[#@LINE+2]]:23 h + {{.*}} guarded
void lines(FILE *from, char *line) {
  float *h = (float *)malloc(bytes), *d;
  fgets(line, 8, from);
  const size_t all = bytes;
  cudaMalloc(&d, all);
  memset(h, 0, all);
  cudaMemcpy(d, h, all, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, all, cudaMemcpyDeviceToHost);
  FREE;
}

// OK: pipes.cu:[[#@LINE+3]]:23 h + {{.*}} unified
// BAD: pipes.cu:[[#@LINE+2]]:23 h + {{.*}} guarded
void streams(int &n) {
  float *h = (float *)malloc(bytes), *d;
  std::cin >> n;
  const size_t all = bytes;
  cudaMalloc(&d, all);
  memset(h, 0, all);
  cudaMemcpy(d, h, all, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, all, cudaMemcpyDeviceToHost);
  FREE;
}

// OK: pipes.cu:[[#@LINE+3]]:23 h + {{.*}} unified
// BAD: pipes.cu:[[#@LINE+2]]:23 h + {{.*}} guarded
void files(const char *name) {
  float *h = (float *)malloc(bytes), *d;
  access(name, F_OK);
  const size_t all = bytes;
  cudaMalloc(&d, all);
  memset(h, 0, all);
  cudaMemcpy(d, h, all, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, all, cudaMemcpyDeviceToHost);
  FREE;
}
