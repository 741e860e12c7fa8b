// An upload does not go on where GPU work may wait for the host: the free that
// waits for it would wait for that work, too.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -mllvm -echo-share-calls=false -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OK
// RUN: %echo_cc -w --device=cpu -mllvm -echo-share-calls=false -O0 -S -emit-llvm %s -o - -DBLOCKED | FileCheck %s --check-prefix=BAD --implicit-check-not='i32 224, ptr null, ptr'
#include "../../../Inputs/case.h"

__global__ void look(const float *in, volatile int *flag) {
  UNSAFE(while (!*flag);)
  *flag = in[1] > 0;
}

// OK: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 224,
// BAD: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 96,
void once(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  look<<<1, 1>>>(d, flag);
  FREE;
}
