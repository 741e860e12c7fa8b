// A function pointer that is one of several known functions or kernels.
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
#include "../../Inputs/case.h"

__global__ void twice(float *inout) { inout[threadIdx.x] *= 2; }
__global__ void copyOf(float *out, const float *in) { *out = *in; }
__global__ void sumOf(float *out, const float *in) { *out = *in + in[1]; }
__global__ void changeBoth(float *out, const float *in) {
  *out = *in;
  const_cast<float *>(in)[0] = 1;
}
using Kernel = void (*)(float *);
using Host = void (*)(float *, int);

// Chosen by a switch; or a caller may have given another one.
// OK: known-callees.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: known-callees.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined coverage unknown-call
void chosen(int which, Kernel given) {
  PAIR;
  for (int k = 0; k < which; ++k) {
    Kernel kernel;
    switch (k) {
    case 0:
      kernel = &update;
      break;
    case 1:
      kernel = &twice;
      break;
    default:
      SAFE(kernel = &writeOnly;)
      UNSAFE(kernel = given;)
    }
    memset(h, 0, Bytes);
    UP;
    for (int i = 0; i < 3; ++i)
      kernel<<<1, 256>>>(d);
    DOWN;
    LOOK;
  }
  FREE;
}

// Each of them counts: one kernel writes what the host still has.
// OK: known-callees.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: known-callees.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S1 device-write-live-host
void counts(int which, float *out) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  auto *kernel = which == 7 ? &copyOf : which ? &sumOf : &copyOf;
  UNSAFE(if (which == 9) kernel = &changeBoth;)
  kernel<<<1, 1>>>(out, d);
  cudaDeviceSynchronize();
  LOOK;
  FREE;
}

// A table of functions of the host, which wait before they write; or do not.
static void fillAll(float *h, int value) {
  cudaDeviceSynchronize();
  memset(h, value, Bytes);
}
static void fillFirst(float *h, int value) {
  SAFE(cudaDeviceSynchronize();)
  h[0] = value;
}
static const Host Fills[] = {fillAll, fillFirst};
// OK: known-callees.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: known-callees.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S2 host-write-in-flight
void constantTable(unsigned which, int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  Fills[which & 1](h, 3);
  UP;
  FREE;
}

// A table that only this file sees; or that another one may write.
static void first(float *h, int value) { h[0] = value; }
static void second(float *h, int value) { h[1] = value; }
SAFE(static) Host Writers[] = {first, nullptr};
void useSecond() { Writers[1] = second; }
// OK: known-callees.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: known-callees.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined coverage unknown-call
void variableTable(unsigned which) {
  PAIR;
  memset(h, 0, Bytes);
  Writers[which](h, 3);
  UP;
  FREE;
}

// As before, but who calls this may put anything there.
static Host Setters[2] = {first, first};
void setOne(int i, Host given) {
  SAFE(Setters[i] = second;)
  UNSAFE(Setters[i] = given;)
}
// OK: known-callees.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: known-callees.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined coverage unknown-call
void writtenTable(unsigned which) {
  PAIR;
  memset(h, 0, Bytes);
  Setters[which](h, 3);
  UP;
  FREE;
}

// A table on the heap, filled from another one; or a function out of sight
// knows it.
void outOfSight(void *);
// OK: known-callees.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: known-callees.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined coverage unknown-call
void heapTable(unsigned n, const int *order) {
  PAIR;
  memset(h, 0, Bytes);
  Host *todo = (Host *)malloc(n * sizeof(Host));
  for (unsigned i = 0; i < n; ++i)
    todo[i] = Fills[order[i] & 1];
  UNSAFE(outOfSight(todo);)
  for (unsigned i = 0; i < n; ++i)
    todo[i](h, i);
  free(todo);
  UP;
  FREE;
}

// A local table with a start value; or a number becomes one of its functions.
// OK: known-callees.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: known-callees.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined coverage unknown-call
void localTable(unsigned which, unsigned long number) {
  PAIR;
  memset(h, 0, Bytes);
  Host todo[] = {first, second, fillAll};
  UNSAFE(memcpy(&todo[which & 1], &number, sizeof(number));)
  todo[which](h, 3);
  UP;
  FREE;
}

// One of the functions is out of sight.
void elsewhere(float *, int);
// OK: known-callees.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: known-callees.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined coverage unknown-call
void unseen(bool which) {
  PAIR;
  memset(h, 0, Bytes);
  SAFE(Host todo = which ? second : first;)
  UNSAFE(Host todo = which ? elsewhere : first;)
  todo(h, 3);
  UP;
  FREE;
}
