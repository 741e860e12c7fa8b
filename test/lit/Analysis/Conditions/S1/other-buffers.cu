// S1: a copy with a buffer of another pair writes all of h only where that
// buffer was allocated. The report names the copy that may fail.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S1 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// The download from other overwrites h.
// OK: other-buffers.cu:[[#@LINE+3]]:3 h + {{.*}} d {{.*}} unified
// BAD: other-buffers.cu:[[#@LINE+2]]:3 h + {{.*}} d {{.*}} declined S1 device-write-live-host
float download() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  // BAD: {{^ *}}[[#@LINE+1]]:3 {{ *}}kernel 'update' writes d
  update<<<1, 256>>>(d);
  float *other = nullptr;
  cudaError_t status = cudaMalloc(&other, Bytes);
  SAFE(if (status) return 0;)
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToDevice);
  // BAD: {{^ *}}[[#@LINE+3]]:16 {{ *}}host reads h
  // BAD: {{^ *}}[[#@LINE+1]]:3 {{ *}}cudaMemcpy overwrites h only if its other buffer was allocated, which nothing tests
  cudaMemcpy(h, other, Bytes, cudaMemcpyDeviceToHost);
  float seen = h[Count - 1];
  // BAD: try {{ *}}test what the allocation of each buffer returns
  cudaFree(other);
  FREE;
  return seen;
}
