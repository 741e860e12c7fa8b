// What a function of the program that qsort calls back does with the pointers
// that it gets: it may keep none, and what it reads and writes counts.
// REQUIRES: cuda-toolkit
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o
// RUN: %{cc} --report %t.ok && FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %{cc} -O0 --report %t.ok0 && FileCheck --input-file=%t.ok0 --check-prefix=OK %s
// RUN: %{cc} --report %t.bad -DBLOCKED && FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %{cc} -O0 --report %t.bad0 -DBLOCKED && FileCheck --input-file=%t.bad0 --check-prefix=BAD %s
#include "../../Inputs/case.h"
typedef int Compare(const void *, const void *);
static float at(const void *p) { return *(const float *)p; }
static int plain(const void *a, const void *b) {
  return (at(a) > at(b)) - (at(a) < at(b));
}
const void *Kept;
static int keeps(const void *a, const void *b) {
  Kept = a;
  return plain(a, b);
}
static int ordersAddresses(const void *a, const void *b) {
  return at(a) == at(b) ? (a > b) - (a < b) : plain(a, b);
}
static int writes(const void *a, const void *b) {
  *(float *)b += 1;
  return plain(a, b);
}
__attribute__((weak)) int mayBeAnother(const void *a, const void *b) {
  return plain(a, b);
}
int elsewhere(const void *, const void *);

#define SORT(COMPARE) qsort(h, Count, sizeof(float), COMPARE)
#define USE                                                                    \
  UP;                                                                          \
  readOnly<<<1, 1>>>(d, flag);                                                 \
  cudaDeviceSynchronize();                                                     \
  FREE

// OK: callbacks.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callbacks.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void keep(int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  SAFE(SORT(plain);)
  UNSAFE(SORT(keeps);)
  USE;
}

// OK: callbacks.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callbacks.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void address(int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  SAFE(SORT(plain);)
  UNSAFE(SORT(ordersAddresses);)
  USE;
}

// OK: callbacks.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callbacks.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void replaced(int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  SAFE(SORT(plain);)
  UNSAFE(SORT(mayBeAnother);)
  USE;
}

// OK: callbacks.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callbacks.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void outOfSight(int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  SAFE(SORT(plain);)
  UNSAFE(SORT(elsewhere);)
  USE;
}

// OK: callbacks.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callbacks.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void given(int *flag, Compare *compare) {
  PAIR;
  memset(h, 1, Bytes);
  SAFE(SORT(plain);)
  UNSAFE(SORT(compare);)
  USE;
}

// bsearch itself only reads.
// OK: callbacks.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callbacks.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
bool search(float key, int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  SAFE(bool found = bsearch(&key, h, Count, sizeof(float), plain);)
  UNSAFE(bool found = bsearch(&key, h, Count, sizeof(float), writes);)
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  FREE;
  return found;
}

// OK: callbacks.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callbacks.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void tooEarly(int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  SORT(plain);
  UNSAFE(cudaDeviceSynchronize();)
  LOOK;
  FREE;
}

// The same through a function that stays a call.
template <Compare *By> __attribute__((noinline)) void sortAll(float *p) {
  qsort(p, Count, sizeof(float), By);
}
// OK: callbacks.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: callbacks.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void inside(int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  SAFE(sortAll<plain>(h);)
  UNSAFE(sortAll<keeps>(h);)
  USE;
}

// OK: 8 pairs: 8 unified
// BAD: 8 pairs: 8 declined
