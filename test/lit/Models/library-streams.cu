// The work of a library is in the stream of its handle: the default stream, or
// the one that it was given last. An unknown stream is covered by a wait for
// the device alone.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "Inputs/library.h"

// A download in the default stream waits for a handle without a stream.
// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-read-in-flight
float defaultStream() {
  PAIR;
  float two = 2;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  memset(h, 0, Bytes);
  UP;
  cublasSscal_v2(handle, Count, &two, d, 1);
  SAFE(DOWN;)
  float sum = h[0] + h[1];
  UNSAFE(DOWN;)
  cublasDestroy_v2(handle);
  FREE;
  return sum;
}

// OK: library-streams.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-streams.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void waitForOther(const float *A, float *C, cudaStream_t s, cudaStream_t other) {
  PAIR;
  float one = 1, zero = 0;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  cublasSetStream_v2(handle, s);
  memset(h, 0, Bytes);
  UP;
  cublasSgemm_v2(handle, 0, 0, 512, 512, 512, &one, A, 512, d, 512, &zero, C, 512);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(other);)
  h[0] = 1;
  UP;
  cublasDestroy_v2(handle);
  FREE;
}
