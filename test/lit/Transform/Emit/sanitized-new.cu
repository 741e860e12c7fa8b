// With sanitizers clang says nothing of the memory that operator new gives. Then the call that echort makes says nothing,
// either.
// REQUIRES: cuda-toolkit
// RUN: env ECHO_CHECK_ERASURE=1 %echo_cc -w --device=cpu -O1 -fsanitize=address -S -emit-llvm %s -o - | FileCheck --check-prefix=SANITIZED %s
// RUN: env ECHO_CHECK_ERASURE=1 %echo_cc -w --device=cpu -O1 -S -emit-llvm %s -o - | FileCheck --check-prefix=PLAIN %s
#include "../../Inputs/case.h"

// SANITIZED: call ptr @echo_call__Znam(
// PLAIN: call noalias ptr @echo_call__Znam(
float sum() {
  float *h = new float[Count], *d;
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  float all = h[0] + h[1];
  cudaFree(d);
  delete[] h;
  return all;
}
