//===- events.cu - What events order --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event stands for what its stream held at the record, no more and no less;
// a stream that waits for it is ordered from there on.
//
//===----------------------------------------------------------------------===//
// SANITIZE: thread
// FLAGS: -O0
#include "cases.h"

static long eventSync() {
  int *H = pinned(), *D = device(1);
  cudaStream_t A = nonBlocking();
  cudaEvent_t E = event();
  UNSAFE(CHECK(cudaEventRecord(E, A)));
  transfer ON(A)(H, D); // HERE
  SAFE(CHECK(cudaEventRecord(E, A)));
  CHECK(cudaEventSynchronize(E));
  return sum(H); // HERE
}

// Work behind the record is not waited for, even if it is done by then.
static long eventCoversNoMore() {
  int *H = pinned(), *K = pinned(), *D = device(1);
  cudaStream_t A = nonBlocking();
  cudaEvent_t E = event();
  transfer ON(A)(H, D);
  CHECK(cudaEventRecord(E, A));
  transfer ON(A)(K, D); // HERE
  letRun();
  CHECK(cudaEventSynchronize(E));
  SAFE(return sum(H) + content(D));
  UNSAFE(return sum(K)); // HERE
}

static long eventQuery() {
  int *H = pinned(), *D = device(1);
  cudaStream_t A = nonBlocking();
  cudaEvent_t E = event(), Never = event();
  (void)Never;
  transfer ON(A)(H, D); // HERE
  CHECK(cudaEventRecord(E, A));
  SAFE(while (cudaEventQuery(E) == cudaErrorNotReady));
  UNSAFE(while (cudaEventQuery(Never) == cudaErrorNotReady));
  return sum(H); // HERE
}

static long streamWaits() {
  int *D = device(1);
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  cudaEvent_t E = event();
  addOne ON(A)(D); // HERE
  CHECK(cudaEventRecord(E, A));
  letRun();
  SAFE(CHECK(cudaStreamWaitEvent(B, E, 0)));
  addOne ON(B)(D); // HERE
  return content(D);
}

// A wait for an event that is not recorded yet is none.
static long waitTooEarly() {
  int *D = device(1);
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  cudaEvent_t E = event();
  addOne ON(A)(D); // HERE
  UNSAFE(CHECK(cudaStreamWaitEvent(B, E, 0)));
  letRun();
  CHECK(cudaEventRecord(E, A));
  SAFE(CHECK(cudaStreamWaitEvent(B, E, 0)));
  addOne ON(B)(D); // HERE
  return content(D);
}

// A wait keeps to the record that it saw; a new record changes nothing.
static long recordedAnew() {
  int *D = device(1), *Other = device(1);
  cudaStream_t A = nonBlocking(), B = nonBlocking();
  cudaEvent_t E = event();
  addOne ON(A)(Other);
  CHECK(cudaEventRecord(E, A));
  UNSAFE(CHECK(cudaStreamWaitEvent(B, E, 0)));
  addOne ON(A)(D); // HERE
  CHECK(cudaEventRecord(E, A));
  SAFE(CHECK(cudaStreamWaitEvent(B, E, 0)));
  addOne ON(B)(D); // HERE
  return content(D) + content(Other);
}

// From stream to stream to the host.
static long chain() {
  int *H = pinned(), *D = device(1);
  cudaStream_t A = nonBlocking(), B = nonBlocking(), C = nonBlocking();
  cudaEvent_t E = event(), F = event();
  transfer ON(A)(H, D); // HERE
  CHECK(cudaEventRecord(E, A));
  CHECK(cudaStreamWaitEvent(B, E, 0));
  SAFE(CHECK(cudaEventRecord(F, B)));
  UNSAFE(CHECK(cudaEventRecord(F, C)));
  CHECK(cudaStreamWaitEvent(C, F, 0));
  CHECK(cudaStreamSynchronize(C));
  return sum(H); // HERE
}

// The event of an idle stream stands for what that stream did before.
static long idleStream() {
  int *D = device(1), *Other = device(1);
  cudaStream_t A = nonBlocking(), B = nonBlocking(), C = nonBlocking();
  cudaEvent_t E = event();
  addOne ON(A)(D); // HERE
  addOne ON(C)(Other);
  letRun();
  SAFE(CHECK(cudaEventRecord(E, A)));
  UNSAFE(CHECK(cudaEventRecord(E, C)));
  CHECK(cudaStreamWaitEvent(B, E, 0));
  addOne ON(B)(D); // HERE
  return content(D) + content(Other);
}

// A wait of the default stream holds for the blocking streams behind it.
static long legacyWaits() {
  int *D = device(1);
  SAFE(cudaStream_t B = blocking());
  UNSAFE(cudaStream_t B = nonBlocking());
  cudaStream_t A = nonBlocking();
  cudaEvent_t E = event();
  addOne ON(A)(D); // HERE
  CHECK(cudaEventRecord(E, A));
  letRun();
  CHECK(cudaStreamWaitEvent(cudaStreamLegacy, E, 0));
  addOne ON(B)(D); // HERE
  return content(D);
}

// An event of the default stream covers the blocking streams' work before it.
static long legacyRecord() {
  int *H = pinned(), *D = device(1);
  SAFE(cudaStream_t A = blocking());
  UNSAFE(cudaStream_t A = nonBlocking());
  cudaEvent_t E = event();
  transfer ON(A)(H, D); // HERE
  letRun();
  CHECK(cudaEventRecord(E, 0));
  CHECK(cudaEventSynchronize(E));
  return sum(H); // HERE
}

// Frames: the host fills one buffer while the device reads the other.
static long producer() {
  int *H[2] = {pinned(), pinned()}, *Out = device();
  cudaStream_t A = nonBlocking();
  cudaEvent_t Free[2] = {event(), event()};
  for (int Frame = 0; Frame != 6; ++Frame) {
    int *P = H[Frame % 2];
    SAFE(CHECK(cudaEventSynchronize(Free[Frame % 2])));
    set(P, Frame);          // HERE
    transfer ON(A)(Out, P); // HERE
    CHECK(cudaEventRecord(Free[Frame % 2], A));
  }
  return content(Out);
}

CASES(CASE(eventSync), CASE(eventCoversNoMore), CASE(eventQuery),
      CASE(streamWaits), CASE(waitTooEarly), CASE(recordedAnew), CASE(chain),
      CASE(idleStream), CASE(legacyWaits), CASE(legacyRecord), CASE(producer))
