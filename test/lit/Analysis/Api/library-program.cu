// A program that is all in sight and gives no handle a stream: every handle
// works in the default stream, wherever it comes from.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.*
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o
// RUN: %{cc} --report %t.ok && FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %{cc} --report %t.set -DBLOCKED && FileCheck --input-file=%t.set --check-prefix=BAD %s
// RUN: %{cc} --report %t.calls -DCALLS && FileCheck --input-file=%t.calls --check-prefix=BAD %s
// RUN: %{cc} --report %t.part -DMAIN=other && FileCheck --input-file=%t.part --check-prefix=BAD %s
// OK-COUNT-2: unified
// BAD-COUNT-2: declined S2 host-read-in-flight
#include "Inputs/library.h"
#ifndef MAIN
#define MAIN main
#endif

const float two = 2;
static cublasHandle_t global;
void elsewhere();

float givenHandle(cublasHandle_t handle) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cublasSscal_v2(handle, Count, &two, d, 1);
  DOWN;
  float sum = h[0];
  FREE;
  return sum;
}

float globalHandle() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cublasSscal_v2(global, Count, &two, d, 1);
  DOWN;
  float sum = h[0];
  FREE;
  return sum;
}

int MAIN() {
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  cublasCreate_v2(&global);
#ifdef CALLS
  elsewhere();
#endif
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  UNSAFE(cublasSetStream_v2(global, s);)
  printf("%g %g\n", givenHandle(handle), globalHandle());
}
