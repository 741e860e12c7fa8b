// S2 with per-thread default streams: waiting for the default stream is
// waiting for another stream than the legacy one.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu --default-stream per-thread -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu --default-stream per-thread -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S2 -w --device=cpu --default-stream per-thread -c %s
#include "../../../Inputs/case.h"

// OK: per-thread.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: per-thread.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void ownStream(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaStreamSynchronize(0);)
  UNSAFE(cudaStreamSynchronize(cudaStreamLegacy);)
  h[0] = 1;
  UP;
  FREE;
}

// The per-thread default stream orders no stream that the program made.
// OK: per-thread.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: per-thread.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void createdStream(int *flag) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  SAFE(cudaMemsetAsync(flag, 0, 4, cudaStreamLegacy);)
  SAFE(cudaStreamSynchronize(cudaStreamLegacy);)
  UNSAFE(cudaMemsetAsync(flag, 0, 4, 0);)
  UNSAFE(cudaStreamSynchronize(0);)
  h[0] = 1;
  UP;
  FREE;
}

// OK: 2 pairs: 2 unified
// BAD: 2 pairs: 2 declined
