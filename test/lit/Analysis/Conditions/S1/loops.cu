// S1: loops of the host that write all of h, and loops that only seem to.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S1 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

/// The kernel changes d; what h held before must not be needed any more.
#define ROUND                                                                  \
  PAIR;                                                                        \
  memset(h, 0, Bytes);                                                         \
  UP;                                                                          \
  update<<<1, 256>>>(d);                                                       \
  cudaDeviceSynchronize()
#define LAST                                                                   \
  float seen = h[Count - 1];                                                   \
  FREE;                                                                        \
  return seen

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float whole() {
  ROUND;
  for (int i = 0; i < Count UNSAFE(-1); ++i)
    h[i] = i;
  LAST;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float fromTheSecond() {
  ROUND;
  for (int i = SAFE(0) UNSAFE(1); i < Count; ++i)
    h[i] = i;
  LAST;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float everySecond() {
  ROUND;
  for (int i = 0; i < Count; i += SAFE(1) UNSAFE(2))
    h[i] = i;
  LAST;
}

// What the loop reads, it needs.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float reads() {
  ROUND;
  for (int i = 0; i < Count; ++i)
    h[i] = i UNSAFE(+h[i]);
  LAST;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float leavesEarly(const int *limit) {
  ROUND;
  for (int i = 0; i < Count; ++i) {
    UNSAFE(if (limit[i]) break;)
    h[i] = i;
  }
  LAST;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float sometimes(const int *want) {
  ROUND;
  for (int i = 0; i < Count; ++i)
    UNSAFE(if (want[i])) h[i] = i;
  LAST;
}

// A kernel in the loop destroys what the loop has written so far.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float launches() {
  ROUND;
  for (int i = 0; i < Count; ++i) {
    h[i] = i;
    UNSAFE(update<<<1, 256>>>(d); cudaDeviceSynchronize();)
  }
  LAST;
}

// Two loops, one in the other, cover rows times columns.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float nested() {
  ROUND;
  for (size_t row = 0; row < 512; ++row)
    for (size_t column = 0; column < 512 UNSAFE(-1); ++column)
      h[row * 512 + column] = row;
  LAST;
}

// What the same round wrote to the same place is not what the loop found.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float sums(const float *a) {
  ROUND;
  for (size_t row = 0; row < 512; ++row)
    for (size_t column = 0; column < 512; ++column) {
      h[row * 512 + column] = 0;
      for (size_t k = 0; k < 512; ++k)
        h[row * 512 + column] += a[k] UNSAFE(*h[row * 512 + k]);
    }
  LAST;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float addsFirst(const float *a) {
  ROUND;
  for (size_t i = 0; i < Count; ++i) {
    SAFE(h[i] = 0;)
    for (size_t k = 0; k < 512; ++k)
      h[i] += a[k];
    UNSAFE(h[i] = 0;)
  }
  LAST;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float kernelBetween(const float *a) {
  ROUND;
  for (size_t i = 0; i < Count; ++i) {
    h[i] = 0;
    UNSAFE(writeOnly<<<1, 256>>>(d); cudaDeviceSynchronize();)
    for (size_t k = 0; k < 512; ++k)
      h[i] += a[k];
  }
  LAST;
}

/// As ROUND, with n floats.
#define ROUND_OF(n)                                                            \
  float *h = (float *)malloc((n) * sizeof(float)), *d;                         \
  cudaMalloc(&d, (n) * sizeof(float));                                         \
  memset(h, 0, (n) * sizeof(float));                                           \
  cudaMemcpy(d, h, (n) * sizeof(float), cudaMemcpyHostToDevice);               \
  update<<<1, 256>>>(d);                                                       \
  cudaDeviceSynchronize()

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float runTime(int n, int m) {
  ROUND_OF(n);
  for (int i = 0; i < SAFE(n) UNSAFE(m); ++i)
    h[i] = i;
  float seen = h[0];
  FREE;
  return seen;
}

// Two negative numbers have a positive product, and no loop runs.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S1 device-write-live-host
float negative(int y, int x) {
  long rows = y, columns = x;
  ROUND_OF(SAFE(64) UNSAFE(rows) * columns);
  for (long row = 0; row < SAFE(64) UNSAFE(rows); ++row)
    for (long column = 0; column < columns; ++column)
      h[row * columns + column] = row;
  float seen = h[0];
  FREE;
  return seen;
}

// A negative number of floats has the size of a small one: it wraps around.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S1 device-write-live-host
float wraps(SAFE(int) UNSAFE(long) count) {
  long n = count;
  ROUND_OF(n);
  for (long i = 0; i < n; ++i)
    h[i] = i;
  float seen = h[0];
  FREE;
  return seen;
}

// OK: 14 pairs: 14 unified
// BAD: 14 pairs: 14 declined
