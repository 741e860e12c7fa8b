// S2: which streams order which. The kernel runs in s; the host waits for
// something of the legacy stream.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S2 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// Work of the legacy stream waits for blocking streams, not for others.
// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void legacyAfterBlocking(int *flag) {
  PAIR;
  cudaStream_t s;
  SAFE(cudaStreamCreate(&s);)
  UNSAFE(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);)
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaMemset(flag, 0, 4);
  cudaStreamSynchronize(0);
  h[0] = 1;
  UP;
  FREE;
}

// Flags that say "blocking" are as good as no flags.
// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void createdWithFlags(int *flag, unsigned flags) {
  PAIR;
  cudaStream_t s;
  SAFE(cudaStreamCreateWithFlags(&s, cudaStreamDefault);)
  UNSAFE(cudaStreamCreateWithFlags(&s, flags);)
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaMemset(flag, 0, 4);
  cudaStreamSynchronize(0);
  h[0] = 1;
  UP;
  FREE;
}

// Where an event was not created, its record and the wait for it fail.
// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void eventWithFlags(int *flag, cudaStream_t s) {
  PAIR;
  cudaEvent_t e = nullptr;
  SAFE(cudaEventCreateWithFlags(&e, cudaEventDisableTiming);)
  UNSAFE(cudaEventCreateWithFlags(&e, 0x40);)
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventRecord(e, s);
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

// A blocking stream waits for the legacy stream.
// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void blockingAfterLegacy(int *flag) {
  PAIR;
  cudaStream_t s;
  SAFE(cudaStreamCreate(&s);)
  UNSAFE(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);)
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaMemsetAsync(flag, 0, 4, s);
  cudaStreamSynchronize(s);
  h[0] = 1;
  UP;
  FREE;
}

// A stream that the function was given may be a non-blocking one.
// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void givenStream(int *flag, cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaMemset(flag, 0, 4);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(0);)
  h[0] = 1;
  UP;
  FREE;
}

// A new handle in each iteration is no stream that a wait could name later.
// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void streamOfArray(int *flag, cudaStream_t *all, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  for (int i = 0; i < n; ++i)
    readOnly<<<1, 1, 0, all[i]>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  UNSAFE(cudaStreamSynchronize(all[n - 1]);)
  h[0] = 1;
  UP;
  FREE;
}

// A blocking download into other memory waits for its own stream, here the
// legacy one, and so for blocking streams.
// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void blockingDownload(int *flag, int *seen) {
  PAIR;
  cudaStream_t s;
  SAFE(cudaStreamCreate(&s);)
  UNSAFE(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);)
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaMemcpy(seen, flag, 4, cudaMemcpyDeviceToHost);
  h[0] = 1;
  UP;
  FREE;
}

// An upload waits for the stream it is in, and for no other. An asynchronous
// download of some other buffer is no wait at all.
// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void uploadIsNoWait(int *flag, const int *value) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  memset(h, 0, Bytes);
  UP;
  SAFE(readOnly<<<1, 1>>>(d, flag);)
  UNSAFE(readOnly<<<1, 1, 0, s>>>(d, flag);)
  cudaMemcpy(flag, value, 4, cudaMemcpyHostToDevice);
  h[0] = 1;
  UP;
  FREE;
}

// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void freeIsNoWait(int *flag, void *unused) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  UNSAFE(cudaFree(unused);)
  h[0] = 1;
  UP;
  FREE;
}

// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void setIsNoWait(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  UNSAFE(cudaMemset(flag, 0, 4);)
  h[0] = 1;
  UP;
  FREE;
}

// The legacy stream waits for what is in a blocking stream, as long as that is
// there.
// OK: streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void destroyed(int *flag, float *other) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  memset(h, 0, Bytes);
  UP;
  cudaDeviceSynchronize();
  readOnly<<<1, 1, 0, s>>>(d, flag);
  UNSAFE(cudaStreamDestroy(s);)
  float seen;
  cudaMemcpy(&seen, other, 4, cudaMemcpyDeviceToHost);
  SAFE(cudaStreamDestroy(s);)
  h[0] = seen;
  UP;
  FREE;
}

// OK: 11 pairs: 11 unified
// BAD: 11 pairs: 11 declined
