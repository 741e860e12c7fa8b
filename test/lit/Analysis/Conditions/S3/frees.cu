// S3: who frees a buffer. A call that does not free such memory fails, and the
// program goes on with the buffer.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// OK: frees.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: frees.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unmodelled-api
void freedAtTheEnd() {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  update<<<1, 32>>>(d);
  DOWN;
  LOOK;
  cudaFree(d);
  SAFE(free(h);)
  UNSAFE(cudaFreeHost(h);)
}

// The fallback of a program that does not know where its memory is from.
// OK: frees.cu:[[#@LINE+3]]:14 h + {{.*}} unified
// BAD: frees.cu:[[#@LINE+2]]:14 h + {{.*}} declined coverage unmodelled-api
void triedFirst() {
  float *h = new float[Count], *d;
  cudaMalloc(&d, Bytes);
  memset(h, 1, Bytes);
  UP;
  update<<<1, 32>>>(d);
  DOWN;
  LOOK;
  cudaFree(d);
  UNSAFE(if (cudaFreeHost(h) != cudaSuccess))
  delete[] h;
}

// OK: frees.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// BAD: frees.cu:[[#@LINE+3]]:3 h + {{.*}} declined coverage ambiguous-pointer
void ofPinned() {
  float *h, *d;
  cudaMallocHost(&h, Bytes);
  cudaMalloc(&d, Bytes);
  memset(h, 1, Bytes);
  UP;
  update<<<1, 32>>>(d);
  DOWN;
  LOOK;
  cudaFree(d);
  SAFE(cudaFreeHost(h);)
  UNSAFE(free(h);)
}

// OK: 3 pairs: 3 unified
// BAD: 3 pairs: 3 declined
