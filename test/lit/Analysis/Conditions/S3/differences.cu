// S3: differences of addresses, where control flow joins.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

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

// Two pointers into one of two buffers, the same one; or into either.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-to-integer
size_t inEither(bool larger) {
  PAIR;
  float *other = (float *)malloc(2 * Bytes);
  memset(h, 0, Bytes);
  UP;
  float *first, *second;
  if (larger) {
    first = other;
    second = other + 5;
  } else {
    first = SAFE(h) UNSAFE(other);
    second = h + 5;
  }
  size_t value = (size_t)second - (size_t)first;
  free(other);
  FREE;
  return value;
}

// Is one buffer less than a vector's length behind another? Vectorized loops of
// units that clang compiled ask that; of farther addresses only programs do.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-to-integer
bool tooClose(const float *other, size_t row) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  bool close = (size_t)h + 4 * row - (size_t)other < SAFE(32) UNSAFE(1 << 20);
  FREE;
  return close;
}

// The pair itself must not be asked about, nor what tells the address itself.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-compared
bool closeToPartner(float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  bool close = (size_t)h - (size_t) SAFE(other) UNSAFE(d) < 32;
  FREE;
  return close;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-to-integer
bool closeToNumber(float *other, size_t number) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  bool close = (size_t)h - (SAFE((size_t)other) UNSAFE(number)) < 32;
  FREE;
  return close;
}

// One number of which low bits are used, and how far it is from another.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-to-integer
size_t alignedAndLeft(size_t count) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  size_t at = (size_t)h, end = (size_t)(h + count);
  size_t value = (at & SAFE(15) UNSAFE(31)) + (end - at);
  FREE;
  return value;
}

// OK: 6 pairs: 6 unified
// BAD: 6 pairs: 6 declined
