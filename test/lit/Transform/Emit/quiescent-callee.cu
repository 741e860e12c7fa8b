// A caller's work may be in a stream for which no default stream waits: whether
// the GPU rests at the uses of the host buffer (flag 1) only main knows.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OK
// RUN: %echo_cc -w --device=cpu -S -emit-llvm %s -o - -DBLOCKED | FileCheck %s --check-prefix=BAD
#include "../../Inputs/case.h"

// OK: @echo.group = internal global {{.*}} { i32 {{[0-9]+}}, i32 {{(1|16385)}}, ptr
// BAD: @echo.group = internal global {{.*}} { i32 {{[0-9]+}}, i32 {{(0|16384)}}, ptr
SAFE(int main()) UNSAFE(float computed()) {
  PAIR;
  writeOnly<<<1, 256>>>(d);
  DOWN;
  float seen = h[0];
  FREE;
  return seen;
}
