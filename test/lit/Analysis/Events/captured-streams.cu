// Streams that the caller may be capturing, though the function was given none.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition capture -w --device=cpu -c %s
#include "../../Inputs/case.h"

#define WORK(Stream)                                                           \
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, Stream);                \
  update<<<1, 256, 0, Stream>>>(d);                                            \
  readOnly<<<1, 1, 0, Stream>>>(d, flag)

// The stream of the thread, where this file captures streams.
// OK: captured-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: captured-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage stream-capture
void ofThread(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  WORK(cudaStreamPerThread);
}
void captureThread(int *flag, cudaGraph_t *graph) {
  UNSAFE(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed);)
  ofThread(flag);
  UNSAFE(cudaStreamEndCapture(cudaStreamPerThread, graph);)
}

// The legacy stream cannot be captured.
// OK: captured-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: captured-streams.cu:[[#@LINE+2]]:3 h + {{.*}} unified
void legacy(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  WORK(cudaStreamLegacy);
}

// A stream of the function's own joins the capture of the stream in which the
// event was recorded.
// OK: captured-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: captured-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage stream-capture
void joins(int *flag, cudaEvent_t begun, cudaEvent_t done) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  memset(h, 0, Bytes);
  UNSAFE(cudaStreamWaitEvent(s, begun, 0);)
  WORK(s);
  cudaEventRecord(done, s);
}
