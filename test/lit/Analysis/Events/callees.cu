// A function that stays a call is a host access to what its body reads or
// writes; a pointer that it keeps, or gives away, is refused.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../Inputs/case.h"

#define STAYS __attribute__((noinline))

STAYS float first(const float *p) { return p[0]; }
STAYS void put(float *p, float x) { p[0] = x; }

// What the kernel leaves in d is not what the host may read.
// OK: callees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float reads() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  float seen = first(h);
  FREE;
  return seen;
}

// OK: callees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void writes(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  put(h, 1);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

// A write that is not known to be of all of h leaves the rest as it was.
// OK: callees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void writesSome(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  SAFE(memset(h, 1, Bytes);)
  UNSAFE(put(h, 1);)
  UP;
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

float *kept;
STAYS void keep(float *p) {
  SAFE(p[1] = 2;)
  UNSAFE(kept = p;)
}
STAYS void hand(float *p) { keep(p + 1); }
// OK: callees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{coverage (unknown-call|ambiguous-pointer)|S3 .*}}
void keeps() {
  PAIR;
  hand(h);
  UP;
  FREE;
}

STAYS float *same(float *p) {
  SAFE(return nullptr;)
  UNSAFE(return p;)
}
// OK: callees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{coverage (unknown-call|ambiguous-pointer)|S3 .*}}
bool returns(float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  bool result = same(h) != other;
  FREE;
  return result;
}

STAYS bool below(const float *p) {
  SAFE(return p != nullptr;)
  UNSAFE(return p < kept;)
}
// OK: callees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{coverage (unknown-call|ambiguous-pointer)|S3 .*}}
bool compares() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  bool result = below(h);
  FREE;
  return result;
}

// Functions that call each other are known once all of them are.
void even(float *p, int n);
STAYS void odd(float *p, int n) {
  UNSAFE(if (n == 3) kept = p;)
  if (n)
    even(p, n - 1);
}
STAYS void even(float *p, int n) {
  *p += n;
  if (n)
    odd(p + 1, n - 1);
}
// OK: callees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{coverage (unknown-call|ambiguous-pointer)|S3 .*}}
void recursive() {
  PAIR;
  memset(h, 0, Bytes);
  even(h, 10);
  UP;
  FREE;
}

// What a callee does through the models of functions out of sight.
void outOfSight(void *);
STAYS void out(float *p) {
  SAFE(memset(p, 0, Bytes);)
  UNSAFE(outOfSight(p);)
}
// OK: callees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{coverage (unknown-call|ambiguous-pointer)|S3 .*}}
void models() {
  PAIR;
  out(h);
  UP;
  FREE;
}

// A body that another one may replace when the program is linked is not known.
UNSAFE(__attribute__((weak)))
STAYS void replaced(float *p) { p[0] = 1; }
// OK: callees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{coverage (unknown-call|ambiguous-pointer)|S3 .*}}
void weak() {
  PAIR;
  replaced(h);
  UP;
  FREE;
}

// The GPU takes it from there.
STAYS void work(float *p, int *flag) {
  SAFE(p[0] = 1;)
  UNSAFE(readOnly<<<1, 1>>>(p, flag);)
}
// OK: callees.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+3]]:3 h + {{.*}} declined {{coverage (unknown-call|ambiguous-pointer)|S3 .*}}
void launches(int *flag) {
  float *h, *d;
  cudaMallocHost(&h, Bytes);
  cudaMalloc(&d, Bytes);
  work(h, flag);
  UP;
  cudaFreeHost(h);
  cudaFree(d);
}

// Parameters with names are followed into a function of further arguments;
// those are not.
STAYS float ofFirst(const float *p, int count, ...) { return p[count]; }
// OK: callees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callees.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
float furtherArguments(const float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  SAFE(float seen = ofFirst(h, 1, other);)
  UNSAFE(float seen = ofFirst(other, 1, h);)
  FREE;
  return seen;
}
