// S1: what covers all of a buffer, and what only seems to.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S1 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// A loop that may not run covers nothing.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float loopMayNotRun(int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  UNSAFE(for (int i = 0; i < n; ++i))
    memset(h, n, Bytes);
  float seen = h[Count - 1];
  FREE;
  return seen;
}

// fread may read less than it was asked for.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void shortRead(FILE *f) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  SAFE(memset(h, 1, Bytes);)
  fread(h, 1, Bytes, f);
  UP;
  FREE;
}

// cudaMemset of a part leaves the rest.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void partialSet(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaDeviceSynchronize();
  h[0] = 1;
  cudaMemset(d, 0, Bytes SAFE(/ 1) UNSAFE(/ 2));
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

// A kernel's write is never all of a buffer: threads may skip elements.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void kernelWrite(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaDeviceSynchronize();
  h[0] = 1;
  SAFE(cudaMemset(d, 0, Bytes);)
  UNSAFE(writeOnly<<<1, 256>>>(d);)
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

// Copies inside the device read and write like kernels.
// OK: [[#@LINE+5]]:3 h + {{.*}} unified
// BAD: [[#@LINE+4]]:3 h + {{.*}} declined S1 host-write-live-device
// BAD-NEXT: [[#@LINE+10]]:{{[0-9]+}} host writes h
// BAD-NEXT: [[#@LINE+10]]:3 cudaMemcpy reads d
void insideDevice(float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaDeviceSynchronize();
  SAFE(cudaMemset(d, 0, Bytes);)
  SAFE(cudaDeviceSynchronize();)
  SAFE(memset(h, 1, Bytes); UP;)
  UNSAFE(h[0] = 1;)
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToDevice);
  FREE;
}

// A read on the way out of the function, in a caller's error branch.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float errorBranch() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  if (cudaDeviceSynchronize() != cudaSuccess) {
    float seen = SAFE(0) UNSAFE(h[Count - 1]);
    FREE;
    return seen;
  }
  DOWN;
  float seen = h[0];
  FREE;
  return seen;
}

// OK: 6 pairs: 6 unified
// BAD: 6 pairs: 6 declined
