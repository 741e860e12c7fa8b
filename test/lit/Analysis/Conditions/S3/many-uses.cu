// A kernel may use a pointer in hundreds of places: all of them are looked at.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

#define FOUR(Use, I) Use(I) Use(I + 1) Use(I + 2) Use(I + 3)
#define SIXTEEN(Use, I)                                                        \
  FOUR(Use, I) FOUR(Use, I + 4) FOUR(Use, I + 8) FOUR(Use, I + 12)
#define MANY(Use)                                                              \
  SIXTEEN(Use, 0) SIXTEEN(Use, 16) SIXTEEN(Use, 32) SIXTEEN(Use, 48)           \
  SIXTEEN(Use, 64) SIXTEEN(Use, 80) SIXTEEN(Use, 96) SIXTEEN(Use, 112)

__device__ float *kept;
__global__ void unrolled(float *data, int n) {
#define USE(I) data[(I) * n] += (I);
  MANY(USE)
  UNSAFE(kept = data;)
}

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 captured-by-kernel
// BAD-NEXT: [[#@LINE+5]]:3 kernel 'unrolled'
void f(int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  unrolled<<<1, 1>>>(d, n);
  DOWN;
  FREE;
}
