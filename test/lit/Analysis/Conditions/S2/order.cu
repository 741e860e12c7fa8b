// S2: what looks like a wait and is none, and work that is easily overlooked.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S2 -w --device=cpu -c %s
#include "../../../Inputs/case.h"
__device__ float table[Count];

// What was launched after the record is not waited for.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void launchedAfterRecord(int *flag, cudaStream_t s, cudaEvent_t e) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventRecord(e, s);
  UNSAFE(readOnly<<<1, 1, 0, s>>>(d, flag);)
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void recordedOnOnePath(int *flag, cudaStream_t s, cudaEvent_t e, bool b) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  UNSAFE(if (b))
    cudaEventRecord(e, s);
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

// A stream waits for the records that were made before it was told to.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S2 host-write-in-flight
void waitBeforeRecord(int *flag, cudaStream_t s, cudaStream_t t,
                      cudaEvent_t e) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  UNSAFE(cudaStreamWaitEvent(t, e, 0);)
  cudaEventRecord(e, s);
  SAFE(cudaStreamWaitEvent(t, e, 0);)
  cudaStreamSynchronize(t);
  h[0] = 1;
  UP;
  FREE;
}

// Two events that the function is given may be one.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S2 host-write-in-flight
void perhapsTheSame(int *flag, cudaStream_t s, cudaEvent_t e,
                    cudaEvent_t other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(cudaEventRecord(other, 0);)
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventRecord(e, s);
  UNSAFE(cudaEventRecord(other, 0);)
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

// A copy inside the device does not wait.
// OK: [[#@LINE+5]]:3 h + {{.*}} unified
// BAD: [[#@LINE+4]]:3 h + {{.*}} declined S2 host-write-in-flight
// BAD-NEXT: [[#@LINE+8]]:8 host writes h
// BAD-NEXT: [[#@LINE+5]]:3 cudaMemcpy may still be reading d
void insideDevice(float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToDevice);
  SAFE(cudaStreamSynchronize(0);)
  h[0] = 1;
  UP;
  FREE;
}

// Nor does a set.
// OK: [[#@LINE+5]]:3 h + {{.*}} unified
// BAD: [[#@LINE+4]]:3 h + {{.*}} declined S2 host-write-in-flight
// BAD-NEXT: [[#@LINE+6]]:8 host writes h
// BAD-NEXT: [[#@LINE+3]]:3 cudaMemset may still be writing d
void set() {
  PAIR;
  cudaMemset(d, 0, Bytes);
  SAFE(cudaStreamSynchronize(0);)
  h[0] = 1;
  UP;
  FREE;
}

// A copy of h to elsewhere is done on return while h is pageable. Merged, it
// is not, so that the rewrite waits behind it.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} unified
void toElsewhere(float *other, cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaMemcpyAsync(other, h, Bytes, cudaMemcpyHostToDevice, s);
  SAFE(cudaStreamSynchronize(s);)
  h[0] = 1;
  UP;
  FREE;
}

// Copies to symbols are copies.
// OK: [[#@LINE+5]]:3 h + {{.*}} unified
// BAD: [[#@LINE+4]]:3 h + {{.*}} declined S2 copy-in-flight
// BAD-NEXT: [[#@LINE+7]]:3 kernel 'writeOnly' writes d
// BAD-NEXT: [[#@LINE+4]]:3 cudaMemcpyToSymbolAsync may still be reading h
void toSymbol(cudaStream_t s, cudaStream_t t) {
  PAIR;
  memset(h, 0, Bytes);
  cudaMemcpyToSymbolAsync(table, h, Bytes, 0, cudaMemcpyHostToDevice, t);
  SAFE(cudaStreamSynchronize(t);)
  writeOnly<<<1, 256, 0, s>>>(d);
  cudaStreamSynchronize(s);
  DOWN;
  FREE;
}

// What libc writes is written by the host.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S2 host-write-in-flight
// BAD-NEXT: [[#@LINE+7]]:3 host ('fread') writes h
void fileRead(FILE *f, int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  fread(h, 1, Bytes, f);
  UP;
  FREE;
}

// OK: 9 pairs: 9 unified
// BAD: 9 pairs: 1 unified, 8 declined

// Where main is in sight, and nothing unknown, no other thread can record an
// event that a function was given.
int main() {}
