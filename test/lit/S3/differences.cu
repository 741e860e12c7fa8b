// S3: differences of addresses, where control flow joins.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../Inputs/case.h"

// Two pointers that are null together, or not; and two that need not be.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-to-integer
size_t nullTogether(bool one, bool two) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  float *first = one ? h : nullptr;
  float *second = SAFE(one) UNSAFE(two) ? h + 5 : nullptr;
  size_t value = (size_t)second - (size_t)first;
  FREE;
  return value;
}

// OK: 1 pair: 1 unified
// BAD: 1 pair: 1 declined
