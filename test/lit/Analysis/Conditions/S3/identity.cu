// S3: do two buffers begin at the same place?
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// Two buffers that are there do not; where one ends another may begin.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-compared
bool ofTheDevice() {
  PAIR;
  float *other;
  cudaMalloc(&other, Bytes);
  memset(h, 0, Bytes);
  UP;
  bool same = d == SAFE(other) UNSAFE(other + Bytes / sizeof(float));
  cudaFree(other);
  FREE;
  return same;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-compared
bool ofThePair(float *other) {
  PAIR;
  float *third = (float *)malloc(Bytes);
  memset(h, 0, Bytes);
  UP;
  bool same = h != SAFE(third) UNSAFE(d);
  free(third);
  FREE;
  return same;
}

// Which is the greater one, malloc decides.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-compared
bool ordered() {
  PAIR;
  float *third = (float *)malloc(Bytes);
  memset(h, 0, Bytes);
  UP;
  bool before = h SAFE(==) UNSAFE(<) third;
  free(third);
  FREE;
  return before;
}

// A new one may begin where one was that is gone.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-compared
bool again() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(float *other; cudaMalloc(&other, Bytes); bool same = d == other;)
  cudaFree(d);
  UNSAFE(float *other; cudaMalloc(&other, Bytes); bool same = d == other;)
  cudaFree(other);
  free(h);
  return same;
}

// In each round a new one: gone are only those of the rounds before.
// OK: [[#@LINE+4]]:5 h + {{.*}} unified
// BAD: [[#@LINE+3]]:5 h + {{.*}} declined S3 pointer-compared
int inRounds(int n, bool early, int found) {
  for (int i = 0; i < n; ++i) {
    PAIR;
    float *other;
    cudaMalloc(&other, Bytes);
    memset(h, i, Bytes);
    UP;
    UNSAFE(if (early) cudaFree(other));
    found += d == other;
    SAFE(if (early) cudaFree(other));
    FREE;
  }
  return found;
}
