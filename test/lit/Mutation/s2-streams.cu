// S2 with one rule of streams or events turned off: what it declines merges.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// DEFINE: %{merges} = FileCheck --check-prefix=MERGES %s -DNAME
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_
// CHECK: define
// RUN: %{opt} -echo-without=stream-sync-is-own | %{merges}=otherStream
// RUN: %{opt} -echo-without=event-sync-is-recorded | %{merges}=recordedBefore
// RUN: %{opt} -echo-without=record-replaces | %{merges}=recordedAgain
// RUN: %{opt} -echo-without=record-is-no-work | %{merges}=recordedBehindLegacy
// RUN: %{opt} -echo-without=event-shared | %{merges}=perhapsTheSame
// RUN: %{opt} -echo-without=event-out-of-sight | %{merges}=perhapsRecorded
// RUN: %{opt} -echo-without=stream-wait-is-recorded | %{merges}=waitBeforeRecord
// RUN: %{opt} -echo-without=non-blocking-stream | %{merges}=nonBlocking
// RUN: %{opt} -echo-without=stream-kept | %{merges}=keptStream
// RUN: %{opt} -echo-without=refused-launch | %{merges}=refusedLaunch
// RUN: %{opt} -echo-without=given-stream | %{merges}=given
// RUN: %{opt} -echo-without=per-thread-stream | %{merges}=perThread
// RUN: %{opt} -echo-without=handle-in-loop | %{merges}=handleInLoop
// RUN: %{opt} -echo-without=handle-in-loop | %{merges}=swapped
// RUN: %{opt} -echo-without=keys-on-every-path | %{merges}=recordedOnOnePath
// MERGES: define {{.*}} @[[NAME]](
// MERGES-NOT: {{^}}}
// MERGES: call ptr @echort_acquire(
#include "../Inputs/case.h"

extern "C" {

void keptStream(int *flag, int *seen) {
  PAIR;
  cudaStream_t s;
  memset(h, 0, Bytes);
  UP;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  cudaStreamCreate(&s);
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaMemcpy(seen, flag, sizeof(int), cudaMemcpyDeviceToHost);
  memset(h, 1, Bytes);
  fwrite(h, 1, Bytes, stdout);
  cudaDeviceSynchronize();
  FREE;
}

void refusedLaunch(int *flag, float *other, int threads) {
  PAIR;
  cudaStream_t s;
  memset(h, 0, Bytes);
  UP;
  if (cudaStreamCreate(&s))
    return;
  cudaDeviceSynchronize();
  readOnly<<<1, 1>>>(d, flag);
  bool launched = false;
  writeOnly<<<1, threads, 0, s>>>((launched = true, other));
  if (!launched)
    return;
  cudaStreamSynchronize(s);
  h[0] = 1;
  UP;
  FREE;
}

void otherStream(int *flag, cudaStream_t s, cudaStream_t other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaStreamSynchronize(other);
  h[0] = 1;
  UP;
  FREE;
}

void recordedBefore(int *flag, cudaStream_t s, cudaEvent_t e) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaEventRecord(e, s);
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

void recordedAgain(int *flag, cudaStream_t s, cudaStream_t other) {
  PAIR;
  cudaEvent_t e;
  cudaEventCreate(&e);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventRecord(e, s);
  cudaEventRecord(e, other);
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

void recordedBehindLegacy(int *flag) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaEvent_t e;
  cudaEventCreate(&e);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaEventRecord(e, s);
  cudaStreamSynchronize(s);
  h[0] = 1;
  UP;
  FREE;
}

void perhapsTheSame(int *flag, cudaStream_t s, cudaEvent_t e,
                    cudaEvent_t other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventRecord(e, s);
  cudaEventRecord(other, 0);
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

cudaEvent_t kept;
void outOfSight(...) { cudaEventRecord(kept, 0); } // not inlined
void perhapsRecorded(int *flag, cudaEvent_t e) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventRecord(e, s);
  outOfSight();
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

void waitBeforeRecord(int *flag, cudaStream_t s, cudaStream_t t,
                      cudaEvent_t e) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaStreamWaitEvent(t, e, 0);
  cudaEventRecord(e, s);
  cudaStreamSynchronize(t);
  h[0] = 1;
  UP;
  FREE;
}

void nonBlocking(int *flag) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaMemset(flag, 0, 4);
  cudaStreamSynchronize(0);
  h[0] = 1;
  UP;
  FREE;
}

void given(int *flag, cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaMemset(flag, 0, 4);
  cudaStreamSynchronize(0);
  h[0] = 1;
  UP;
  FREE;
}

void perThread(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, cudaStreamPerThread>>>(d, flag);
  cudaStreamSynchronize(cudaStreamLegacy);
  h[0] = 1;
  UP;
  FREE;
}

// The wait is for the stream of this iteration, the work that of the last.
void handleInLoop(int *flag, cudaStream_t *all, int n) {
  PAIR;
  for (int i = 0; i < n; ++i) {
    cudaStream_t s = all[i];
    cudaStreamSynchronize(s);
    memset(h, i, Bytes);
    UP;
    readOnly<<<1, 1, 0, s>>>(d, flag);
  }
  FREE;
}

void swapped(int *flag, cudaStream_t s, cudaStream_t t, int n) {
  PAIR;
  for (int i = 0; i < n; ++i) {
    cudaStreamSynchronize(s);
    memset(h, i, Bytes);
    UP;
    readOnly<<<1, 1, 0, s>>>(d, flag);
    cudaStream_t last = s;
    s = t;
    t = last;
  }
  FREE;
}

void recordedOnOnePath(int *flag, cudaStream_t s, cudaEvent_t e, bool b) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  if (b)
    cudaEventRecord(e, s);
  cudaEventSynchronize(e);
  h[0] = 1;
  UP;
  FREE;
}

// The union of keys has no fixed point here; the analysis must still end.
void recordedInLoop(int *flag, cudaStream_t s, cudaEvent_t e, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  for (int i = 0; i < n; ++i) {
    cudaEventSynchronize(e);
    cudaEventRecord(e, s);
  }
  h[0] = 1;
  UP;
  FREE;
}

}

// Where main is in sight, and nothing unknown, no other thread can record an
// event that a function was given.
int main() {}
