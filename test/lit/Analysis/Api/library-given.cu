// A handle from elsewhere, in a program that has no other thread: its stream is
// known once it was set, until what may name the same handle is given another.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "Inputs/library.h"

const float two = 2;
cublasHandle_t handles[2];

// OK: library-given.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-given.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void sameHandle(int other, cudaStream_t s, cudaStream_t t) {
  PAIR;
  cublasHandle_t handle = handles[0], perhaps = handles[other];
  UNSAFE(cublasSetStream_v2(handle, s);)
  cublasSetStream_v2(perhaps, t);
  SAFE(cublasSetStream_v2(handle, s);)
  memset(h, 0, Bytes);
  UP;
  cublasSscal_v2(handle, Count, &two, d, 1);
  cudaStreamSynchronize(s);
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// Another handle of each iteration: what was set in one is not set in the next.
// OK: library-given.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: library-given.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void handleOfIteration(int n, cudaStream_t s) {
  PAIR;
  for (int i = 0; i < n; ++i) {
    cublasHandle_t handle = handles[i];
    memset(h, 0, Bytes);
    UP;
    SAFE(cublasSetStream_v2(handle, s);)
    cublasSscal_v2(handle, Count, &two, d, 1);
    UNSAFE(cublasSetStream_v2(handle, s);)
    cudaStreamSynchronize(s);
  }
  FREE;
}

int main(int argc, char **) {
  cublasCreate_v2(&handles[0]);
  cublasCreate_v2(&handles[1]);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  sameHandle(argc % 2, s, t);
  handleOfIteration(argc, s);
}
