// Pairs that the user vouches for: what a word overrules, and what it does not.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.declined
// RUN: FileCheck --input-file=%t.declined --check-prefix=NONE %s
// RUN: grep '^[^ #].* + ' %t.declined > %t.pairs
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok --assume %t.pairs
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad --assume=%t.pairs -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"

// NONE-NOT: {{unified|assumed|vouched}}
// NONE: 13 pairs: 13 declined
// OK-NOT: {{declined|vouched}}
// BAD-NOT: assumed

// S1: what a kernel writes may be what is there. What a set writes is not.
// OK: [[#@LINE+8]]:3 h + {{.*}}:[[#@LINE+8]]:3 d {{.*}} assumed 1 copy removed ([[#@LINE+10]]:3 H2D), 1 wait kept at [[#@LINE+10]]:3; overrules S1 device-write-live-host
// OK-NEXT: [[#@LINE+10]]:{{[0-9]+}} kernel 'update' writes d
// OK-NEXT: [[#@LINE+12]]:{{[0-9]+}} host reads h
// OK-NEXT: try
// BAD: [[#@LINE+4]]:3 h + {{.*}} declined S1 device-write-live-host
// BAD: [[#@LINE+9]]:{{[0-9]+}} host reads h
// BAD: vouched but refuted: both always happen, one after the other, on the same bytes
float kernelWrites() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE((update<<<1, 256>>>(d));)
  UNSAFE(cudaMemset(d, 1, Bytes);)
  cudaDeviceSynchronize();
  float seen = h[Count - 1];
  FREE;
  return seen;
}

// S1: the write may be one that never happens.
// OK: [[#@LINE+3]]:3 h + {{.*}} assumed {{.*}} overrules S1 host-write-live-device
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void onOnePath(int *flag, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(if (n))
    memset(h, n, Bytes);
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}
// BAD: vouched but refuted

// S1: one element may be none of those that the kernel reads.
// OK: [[#@LINE+3]]:3 h + {{.*}} assumed {{.*}} overrules S1 host-write-live-device
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void someBytes(int *flag, float *out) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  h[7] = 1;
  SAFE((readOnly<<<1, 1>>>(d, flag));)
  UNSAFE(cudaMemcpy(out, d, Bytes, cudaMemcpyDeviceToDevice);)
  FREE;
}
// BAD: vouched but refuted

// S1: what lies between the two may make up for it.
// OK: [[#@LINE+3]]:3 h + {{.*}} assumed {{.*}} overrules S1 host-write-live-device
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void between(int *flag, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  memset(h, 1, Bytes);
  SAFE(if (n) UP;)
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}
// BAD: vouched but refuted

// S1: a loop that may leave something out, and one that does not.
// OK: [[#@LINE+3]]:3 h + {{.*}} assumed {{.*}} overrules S1 host-write-live-device
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void byLoop(int *flag, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  for (int i = 0; i < Count; ++i)
    SAFE(if (i != n))
      h[i] = i;
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}
// BAD: vouched but refuted

// S1: a path may leave the second event out, but not by ending the program.
// OK: [[#@LINE+3]]:3 h + {{.*}} assumed {{.*}} overrules S1 host-write-live-device
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void ends(int *flag, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  memset(h, 1, Bytes);
  if (n)
    SAFE(goto done) UNSAFE(exit(1));
  readOnly<<<1, 1>>>(d, flag);
SAFE(done:)
  FREE;
}
// BAD: vouched but refuted

// S1: nor the next iteration of a loop.
// OK: [[#@LINE+4]]:3 h + {{.*}} assumed {{.*}} overrules S1 host-write-live-device
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S1 host-write-live-device
// BAD: vouched but refuted
void repeats(int *flag, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  for (int i = 0; i < n; ++i) {
    memset(h, 1, Bytes);
    SAFE(if (i == 7) continue;)
    readOnly<<<1, 1>>>(d, flag);
    cudaDeviceSynchronize();
  }
  FREE;
}

// S2: the work may be done.
// OK: [[#@LINE+3]]:3 h + {{.*}} assumed {{.*}} overrules S2 host-write-in-flight
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void order(int *flag, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(if (n))
    memset(h, 1, Bytes);
  UP;
  FREE;
}
// BAD: vouched but refuted

// S2: what may be in flight may not have begun.
// OK: [[#@LINE+3]]:3 h + {{.*}} assumed {{.*}} overrules S2 host-write-in-flight
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void started(int *flag, int n, cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(if (n))
    cudaMemsetAsync(d, 1, Bytes, s);
  memset(h, 2, Bytes);
  UP;
  FREE;
}
// BAD: vouched but refuted

// A kernel out of sight; a function out of sight may free the buffer.
__global__ void unseen(float *x);
void unseenHost(float *x);
// OK: [[#@LINE+3]]:3 h + {{.*}} assumed {{.*}} overrules coverage unknown-kernel
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void outOfSight() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  unseen<<<1, 1>>>(d);
  UNSAFE(unseenHost(h);)
  FREE;
}
// BAD: vouched but not enough: for this reason no word counts

// S3 stays, whatever else is wrong.
// OK: [[#@LINE+3]]:3 h + {{.*}} assumed {{.*}} overrules S1 device-write-live-host
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-to-integer
float addresses() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  UNSAFE(printf("%p\n", h);)
  float seen = h[0];
  FREE;
  return seen;
}
// BAD: vouched but not enough

// S4 stays.
// OK: [[#@LINE+4]]:3 h + {{.*}} assumed {{.*}} overrules S1 device-write-live-host
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S4 device-reset
// BAD: vouched but not enough
float lifetimes() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float seen = h[0];
  UNSAFE(cudaDeviceReset();)
  FREE;
  return seen;
}

// What a copy may move stays.
// OK: [[#@LINE+4]]:3 h + {{.*}} assumed {{.*}} overrules S1 device-write-live-host
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 partial-copy
// BAD: vouched but not enough
float shape() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float seen = h[0];
  UNSAFE(cudaMemcpy(d + 64, h, Bytes / 2, cudaMemcpyHostToDevice);)
  FREE;
  return seen;
}
// OK: 13 pairs: 13 assumed
// BAD: 13 pairs: 13 declined
