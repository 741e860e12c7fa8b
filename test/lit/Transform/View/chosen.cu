// Calls of one of several functions that all show, kernels among them.
// REQUIRES: cuda-toolkit
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o
// RUN: %{cc} --report %t.ok && FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %{cc} -O0 --report %t.ok0 && FileCheck --input-file=%t.ok0 --check-prefix=OK %s
// RUN: %{cc} --report %t.bad -DBLOCKED && FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %{cc} -O0 --report %t.bad0 -DBLOCKED && FileCheck --input-file=%t.bad0 --check-prefix=BAD %s
#include "../../Inputs/case.h"
typedef void Kernel(float *);
__global__ void looks(float *p) {
  if (p[threadIdx.x] < 0)
    printf("negative\n");
}
__global__ void looksTwice(float *p) {
  if (p[2 * threadIdx.x] < 0)
    printf("negative\n");
}

// OK: chosen.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: chosen.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void oneAfterTheOther(Kernel *given) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  Kernel *kernel;
  for (int i = 0; i < 3; ++i) {
    switch (i) {
    case 0:
      kernel = looks;
      break;
    case 1:
      SAFE(kernel = update;)
      UNSAFE(kernel = given;)
      break;
    default:
      kernel = looksTwice;
    }
    kernel<<<1, 256>>>(d);
  }
  DOWN;
  LOOK;
  FREE;
}

// What one of them does counts.
// OK: chosen.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// BAD: chosen.cu:[[#@LINE+3]]:3 h + {{.*}} declined S1 device-write-live-host
// BAD-NEXT: kernel 'update' writes d
void oneWrites(bool first) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  SAFE(Kernel *kernel = first ? looks : looksTwice;)
  UNSAFE(Kernel *kernel = first ? looks : update;)
  kernel<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  LOOK;
  FREE;
}

// OK: chosen.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: chosen.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void inStream(bool first, cudaStream_t s, cudaStream_t t) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  Kernel *kernel = first ? looks : looksTwice;
  kernel<<<1, 256, 0, s>>>(d);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(t);)
  h[0] = 1;
  FREE;
}

static void one(float *p) { p[1] = 1; }
static void two(float *p) { p[2] = 2; }
typedef void Host(float *);
SAFE(static Host *const Table[] = {one, two};)
UNSAFE(Host *Table[] = {one, two};)

// OK: chosen.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: chosen.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void ofTable(int i, int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  Table[i](h);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  FREE;
}

// OK: 4 pairs: 4 unified
// BAD: 4 pairs: 4 declined
