// S4: frees, failures and loops that leave the pair whole, and resets and
// child processes that do not.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O2 -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -O2 -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S4 -w --device=cpu -O2 -c %s
#include "../../../Inputs/case.h"

// An allocation that fails leaves the iteration early.
// OK: [[#@LINE+5]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+5]]:{{[0-9]+}} h + {{.*}} declined S4
void failures(int n, int *flag) {
  UNSAFE(float *d; cudaMalloc(&d, Bytes);)
  for (int i = 0; i < n; ++i) {
    SAFE(float *h = (float *)malloc(Bytes);)
    UNSAFE(float *h = nullptr; cudaMallocHost(&h, Bytes);)
    if (!h)
      continue;
    SAFE(float *d;)
    if (SAFE(cudaMalloc(&d, Bytes)) UNSAFE(cudaGetLastError()) != cudaSuccess) {
      SAFE(free(h);) UNSAFE(cudaFreeHost(h);)
      continue;
    }
    memset(h, i, Bytes);
    UP;
    readOnly<<<1, 1>>>(d, flag);
    SAFE(cudaFree(d);)
    SAFE(free(h);) UNSAFE(cudaFreeHost(h);)
  }
  UNSAFE(cudaFree(d);)
}

// Kept from the first iteration on: one pair for all, or one each time?
// OK: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+6]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
void grown(int n, int *flag) {
  float *h = nullptr, *d = nullptr;
  SAFE(n = 1; {)
  UNSAFE(for (int i = 0; i < n; ++i) {)
    if (!h) {
      h = (float *)malloc(Bytes);
      if (cudaMalloc(&d, Bytes) != cudaSuccess)
        abort();
    }
    memset(h, n, Bytes);
    UP;
    readOnly<<<1, 1>>>(d, flag);
    cudaDeviceSynchronize();
  }
  FREE;
}

// A reset that another function makes.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S4 device-reset
__attribute__((noinline)) void reset() { cudaDeviceReset(); }
void resetElsewhere() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  UNSAFE(reset();)
  FREE;
  SAFE(reset();)
}

// Where a buffer's pointer is null there is none that a reset could take away.
// OK: [[#@LINE+4]]:23 h + {{.*}} unified
// BAD: [[#@LINE+3]]:23 h + {{.*}} declined S4 device-reset
int cleanUp(const char *name) {
  float *d = nullptr;
  float *h = (float *)malloc(Bytes);
  if (SAFE(!h) UNSAFE(!name)) {
    if (d)
      cudaFree(d);
    cudaDeviceReset();
    return 1;
  }
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  if (h)
    free(h);
  if (d)
    cudaFree(d);
  cudaDeviceReset();
  return 0;
}

// A reader that gives the buffer back before the device buffer comes: on that
// way the two stay apart. Not if realloc gives it back.
// OK: [[#@LINE+4]]:{{[0-9]+}} h + {{.*}} unified 1 copy removed
// BAD: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: [[#@LINE+5]]:{{[0-9]+}} one buffer is freed before the other
void reader(FILE *f, int *flag) {
  float *h = (float *)malloc(Bytes), *d, *other = nullptr;
  memset(h, 0, Bytes);
  if (!fread(h, 1, Bytes, f)) {
    SAFE(free(h);) UNSAFE(other = (float *)realloc(h, 2 * Bytes);)
    h = nullptr;
  }
  cudaMalloc(&d, Bytes);
  if (h)
    UP;
  readOnly<<<1, 1>>>(d, flag);
  free(other);
  FREE;
}

// Nor in a loop around one of the two.
// OK: [[#@LINE+5]]:{{[0-9]+}} h + {{.*}} unified 1 copy removed
// BAD: [[#@LINE+4]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: [[#@LINE+7]]:{{[0-9]+}} one buffer is freed before the other
void readerInLoop(FILE *f, int *flag, int n) {
  SAFE(for (int i = 0; i < n; ++i) {)
  float *h = (float *)malloc(Bytes), *d;
  UNSAFE(for (int i = 0; i < n; ++i) {)
    memset(h, 0, Bytes);
    if (!fread(h, 1, Bytes, f)) {
      free(h);
      h = nullptr;
    }
    cudaMalloc(&d, Bytes);
    if (h)
      UP;
    readOnly<<<1, 1>>>(d, flag);
    cudaFree(d);
    SAFE(free(h);)
    UNSAFE(if (!h) return;)
  }
  UNSAFE(free(h);)
}

// A child process has a copy of h, but would share merged memory.
// OK: [[#@LINE+6]]:3 h + {{.*}} unified
// BAD: [[#@LINE+5]]:3 h + {{.*}} declined coverage host-concurrency
// BAD-NEXT: [[#@LINE+8]]:{{[0-9]+}} 'fork'
extern "C" int fork();
extern "C" int getpid();
void child() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(int id = getpid();)
  UNSAFE(int id = fork();)
  if (id == 0)
    h[0] = 1;
  FREE;
}

// OK: 7 pairs: 7 unified
// BAD: 7 pairs: 7 declined
