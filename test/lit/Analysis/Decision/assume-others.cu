// Pairs that the user vouches for beside other pairs, options and work.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.declined
// RUN: grep '^[^ #].* + ' %t.declined > %t.pairs
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok --assume %t.pairs
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad --assume=%t.pairs -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// No wait is added for one.
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.repaired --repair
// RUN: FileCheck --input-file=%t.repaired --check-prefix=REPAIRED %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.both --repair --assume %t.pairs
// RUN: FileCheck --input-file=%t.both --check-prefix=OK %s
#include "../../Inputs/case.h"

// A merged pair may wait where the program does not, which might never end.
// OK: [[#@LINE+6]]:3 h + {{.*}} assumed {{.*}} overrules S1 device-write-live-host
// BAD: [[#@LINE+5]]:3 h + {{.*}} declined coverage host-concurrency
// BAD-NEXT: GPU work may wait for the host
// BAD-NEXT: try
// BAD-NEXT: vouched but not enough
float waits(cudaStream_t s, cudaHostFn_t f) {
  PAIR;
  UNSAFE(cudaLaunchHostFunc(s, f, nullptr);)
  memset(h, 0, Bytes);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice);
  update<<<1, 1>>>(d);
  cudaDeviceSynchronize();
  float seen = h[0];
  FREE;
  return seen;
}

// What is proved comes first, though the other pair copies more.
// OK: [[#@LINE+6]]:{{[0-9]+}} h + {{.*}} d {{.*}} declined rival rival
// OK-NEXT: -
// OK-NEXT: try
// OK-NEXT: vouched but not enough
// OK: [[#@LINE+3]]:{{[0-9]+}} out + {{.*}} d {{.*}} unified
float proved() {
  float *h = (float *)malloc(Bytes), *d;
  float *out = (float *)malloc(Bytes);
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(out, d, Bytes, cudaMemcpyDeviceToHost);
  float seen = h[Count - 1] + out[0];
  FREE;
  free(out);
  return seen;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} assumed 2 copies removed ({{[^)]*}}), 2 waits kept at {{[0-9]+:3, [0-9]+:3}}; overrules S2 host-write-in-flight
// REPAIRED: [[#@LINE+2]]:3 h + {{.*}} unified {{.*}} 1 wait added before
void repaired(int *flag, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  if (n)
    memset(h, 1, Bytes);
  UP;
  FREE;
}
