// A function in sight that stays a call lets the GPU rest (flag 1) if all that
// it calls leaves the GPU alone.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OK
// RUN: %echo_cc -w --device=cpu -S -emit-llvm %s -o - -DBLOCKED | FileCheck %s --check-prefix=BAD
#include "../../Inputs/case.h"

struct Timer {
  double seconds[8];
  char *label;
};

__attribute__((noinline)) void note(Timer *t, const char *label) {
  t->label = strdup(label);
  t->seconds[strlen(label)] += 1;
  UNSAFE((readOnly<<<1, 1>>>(nullptr, nullptr));)
}

// OK: @echo.group = internal global {{.*}} { i32 {{[0-9]+}}, i32 {{(1|16385)}}, ptr
// BAD: @echo.group = internal global {{.*}} { i32 {{[0-9]+}}, i32 {{(0|16384)}}, ptr
int main() {
  Timer t = {};
  PAIR;
  writeOnly<<<1, 256>>>(d);
  DOWN;
  note(&t, "copy");
  float seen = h[0];
  FREE;
  return seen + t.seconds[4];
}
