// S1: a retained write to one buffer needs the other's content to be dead.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S1 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// The host changes h while d's content is still needed.
// OK: liveness.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: liveness.cu:[[#@LINE+4]]:3 h + {{.*}} declined S1 host-write-live-device
// BAD-NEXT: [[#@LINE+8]]:8 host writes h
// BAD-NEXT: [[#@LINE+9]]:3 kernel 'readOnly' reads d
void hostWrite(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  h[0] = 1;
  SAFE(UP;)
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

// The GPU changes d while h's content is still needed.
// OK: liveness.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: liveness.cu:[[#@LINE+4]]:3 h + {{.*}} declined S1 device-write-live-host
// BAD-NEXT: [[#@LINE+6]]:3 kernel 'update' writes d
// BAD-NEXT: [[#@LINE+8]]:16 host reads h
float deviceWrite() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  SAFE(DOWN;)
  cudaDeviceSynchronize();
  float seen = h[0];
  FREE;
  return seen;
}

// A later upload of the old host data is a read, too.
// OK: liveness.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: liveness.cu:[[#@LINE+4]]:3 h + {{.*}} declined S1 device-write-live-host
// BAD-NEXT: [[#@LINE+6]]:3 kernel 'update' writes d
// BAD-NEXT: [[#@LINE+8]]:3 cudaMemcpy reads h
void uploadAgain(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  SAFE(memset(h, 0, Bytes);)
  UP;
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

// cudaMemset of d is a write like a kernel's.
// OK: liveness.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: liveness.cu:[[#@LINE+4]]:3 h + {{.*}} declined S1 device-write-live-host
// BAD-NEXT: [[#@LINE+6]]:3 cudaMemset writes d
// BAD-NEXT: [[#@LINE+8]]:16 host reads h
float deviceSet() {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  cudaMemset(d, 0, Bytes);
  SAFE(DOWN;)
  cudaDeviceSynchronize();
  float seen = h[0];
  FREE;
  return seen;
}

// calloc's clearing is a write of h: it must come before d is filled.
// OK: liveness.cu:[[#@LINE+6]]:21 h + {{.*}} unified
// BAD: liveness.cu:[[#@LINE+8]]:23 h + {{.*}} declined S1 alloc-write-live
// BAD-NEXT: [[#@LINE+7]]:23 calloc writes h
// BAD-NEXT: [[#@LINE+7]]:3 cudaMemcpy reads d
void callocWrite() {
  float *h, *d;
  SAFE(h = (float *)calloc(Count, 4);)
  cudaMalloc(&d, Bytes);
  writeOnly<<<1, 256>>>(d);
  UNSAFE(h = (float *)calloc(Count, 4), LOOK;)
  DOWN;
  FREE;
}

// Content that no event wrote is nobody's: the kernel may write d before h is
// filled for the first time, and calloc may follow cudaMalloc.
// OK: liveness.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: liveness.cu:[[#@LINE+4]]:3 h + {{.*}} declined S1 device-write-live-host
// BAD-NEXT: [[#@LINE+6]]:3 kernel 'writeOnly' writes d
// BAD-NEXT: [[#@LINE+6]]:3 cudaMemcpy reads h
void uninitializedPartner(int *flag) {
  PAIR;
  UNSAFE(h[0] = 1;)
  cudaDeviceSynchronize();
  writeOnly<<<1, 256>>>(d);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

// On one path only is enough to keep the content alive.
// OK: liveness.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: liveness.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float onOnePath(bool b) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  UNSAFE(if (b))
    DOWN;
  float seen = h[0];
  FREE;
  return seen;
}

// What the next iteration reads counts.
// OK: liveness.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: liveness.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void nextIteration(int n) {
  PAIR;
  memset(h, 0, Bytes);
  UNSAFE(UP;)
  for (int i = 0; i < n; ++i) {
    SAFE(UP;)
    update<<<1, 256>>>(d);
    SAFE(DOWN;)
    cudaDeviceSynchronize();
    h[0] += 1;
  }
  FREE;
}

// A part of h that the host overwrites leaves the rest of d's content alive.
// OK: liveness.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: liveness.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float partialKill() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  SAFE(memset(h, 0, Bytes);)
  UNSAFE(memset(h, 0, Bytes - 4);)
  float seen = h[Count - 1];
  FREE;
  return seen;
}

// OK: 9 pairs: 9 unified
// BAD: 9 pairs: 9 declined
