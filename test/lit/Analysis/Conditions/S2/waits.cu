// S2, every kind of wait between a kernel that reads d and the host's next
// write of h. Only order is in question: the next upload overwrites d.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S2 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// OK: waits.cu:[[#@LINE+6]]:3 h + {{.*}}waits.cu:[[#@LINE+6]]:3 d {{.*}} unified
// BAD: waits.cu:[[#@LINE+5]]:3 h + {{.*}} declined S2 host-write-in-flight
// BAD-NEXT: [[#@LINE+9]]:8 host writes h
// BAD-NEXT: [[#@LINE+6]]:3 kernel 'readOnly' may still be reading d: nothing between [[#@LINE+6]]:3 and [[#@LINE+8]]:8 waits for it
// BAD-NEXT: try cudaDeviceSynchronize() before [[#@LINE+7]]:8
void deviceSync(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  h[0] = 1;
  UP;
  FREE;
}

// OK: waits.cu:[[#@LINE+6]]:3 h + {{.*}} unified
// BAD: waits.cu:[[#@LINE+5]]:3 h + {{.*}} declined S2 host-write-in-flight
// BAD-NEXT: [[#@LINE+10]]:8 host writes h
// BAD-NEXT: [[#@LINE+6]]:3 kernel 'readOnly'
// The wait for another stream proves nothing.
void streamSync(int *flag, cudaStream_t s, cudaStream_t other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(other);)
  h[0] = 1;
  UP;
  FREE;
}

// OK: waits.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: waits.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void defaultStreamSync(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaStreamSynchronize(0);)
  UNSAFE(cudaStreamQuery(0);)
  h[0] = 1;
  UP;
  FREE;
}

// OK: waits.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: waits.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void eventRecordedAfter(int *flag, cudaStream_t s, cudaEvent_t e) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  UNSAFE(cudaEventRecord(e, s);)
  readOnly<<<1, 1, 0, s>>>(d, flag);
  SAFE(cudaEventRecord(e, s);)
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

// An event that is recorded again stands for its last record.
// OK: waits.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: waits.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void eventRecordedAgain(int *flag, cudaStream_t s, cudaStream_t other) {
  PAIR;
  cudaEvent_t e;
  cudaEventCreate(&e);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventRecord(e, s);
  UNSAFE(cudaEventRecord(e, other);)
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

// OK: waits.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: waits.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void streamWaitEvent(int *flag, cudaStream_t s, cudaStream_t t, cudaEvent_t e) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventRecord(e, s);
  SAFE(cudaStreamWaitEvent(t, e, 0);)
  cudaStreamSynchronize(t);
  h[0] = 1;
  UP;
  FREE;
}

// OK: waits.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: waits.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void eventQuery(int *flag, cudaStream_t s, cudaEvent_t e) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventRecord(e, s);
  SAFE(cudaEventSynchronize(e);)
  UNSAFE(cudaEventQuery(e);)
  h[0] = 1;
  UP;
  FREE;
}

// A wait on one path only is no wait.
// OK: waits.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: waits.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void waitOnOnePath(int *flag, bool b) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  UNSAFE(if (b))
    cudaDeviceSynchronize();
  h[0] = 1;
  UP;
  FREE;
}

// The wait of the iteration before: the back edge carries the kernel.
// OK: waits.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: waits.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void loopCarried(int *flag, int n) {
  PAIR;
  for (int i = 0; i < n; ++i) {
    memset(h, i, Bytes);
    UP;
    readOnly<<<1, 1>>>(d, flag);
    SAFE(cudaDeviceSynchronize();)
  }
  FREE;
}

// OK: 9 pairs: 9 unified
// BAD: 9 pairs: 9 declined

// Where main is in sight, and nothing unknown, no other thread can record an
// event that a function was given.
int main() {}
