// While a stream is captured, CUDA refuses waits for others: what they order is not.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad %t.thread
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.thread -DBLOCKED -DTHREAD
// RUN: FileCheck --input-file=%t.thread --check-prefix=THREAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../../Inputs/case.h"
#ifdef THREAD
#include <pthread.h>
void start(pthread_t *thread, void *(*run)(void *)) { pthread_create(thread, nullptr, run, nullptr); }
#endif

// The other stream is none that a pair works in.
__attribute__((noinline)) static void begin() {
  cudaStream_t other;
  cudaStreamCreate(&other);
  UNSAFE(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal);)
}

// OK: refused-waits.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: refused-waits.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage stream-capture
void refused(int *flag) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  memset(h, 1, Bytes);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  readOnly<<<1, 1, 0, s>>>(d, flag);
  begin();
  cudaStreamSynchronize(s);
  memset(h, 2, Bytes);
  cudaFree(d);
  free(h);
}

// Another thread may capture where the unit starts one.
// OK: refused-waits.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: refused-waits.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// THREAD: refused-waits.cu:{{.*}} declined coverage stream-capture
// THREAD: refused-waits.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage stream-capture
void inThread(int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  readOnly<<<1, 1>>>(d, flag);
  cudaFree(d);
  free(h);
}
