// S3: h, d and what is derived from them are used as addresses only.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// Checks of a sanitizer change no answer.
// RUN: %echo_cc -w --device=cpu -fsanitize=undefined -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -fsanitize=undefined -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// Null is no other buffer.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 pointer-compared
// BAD-NEXT: [[#@LINE+4]]:{{[0-9]+}} a comparison of the buffer's address
int compared(float *other) {
  PAIR;
  SAFE(if (h == nullptr) return 1;)
  UNSAFE(if (h == other) return 1;)
  memset(h, 0, Bytes);
  UP;
  FREE;
  return 0;
}

// The pair's own two pointers may not be compared either.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-compared
bool comparedWithPartner() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(bool same = h == h + Count;)
  UNSAFE(bool same = h == d;)
  FREE;
  return same;
}

// A difference inside one buffer does not show the address.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 pointer-to-integer
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} the buffer's address becomes a number
long number(int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(long value = (h + n) - h;)
  UNSAFE(long value = (long)(h + n);)
  FREE;
  return value;
}

// OK: [[#@LINE+6]]:3 h + {{.*}} unified
// BAD: [[#@LINE+5]]:3 h + {{.*}} declined S3 pointer-escapes
// BAD-NEXT: [[#@LINE+8]]:{{[0-9]+}} the buffer's address is stored
float value;
float *global;
void stored() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(value = h[0];)
  UNSAFE(global = h;)
  FREE;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-escapes
void storedInArgument(float **where) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(where[0][0] = h[0];)
  UNSAFE(where[0] = d;)
  FREE;
}

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 pointer-escapes
// BAD-NEXT: [[#@LINE+8]]:{{[0-9]+}} the buffer's address leaves sight
float *returned() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaFree(d);
  SAFE(free(h);)
  SAFE(return nullptr;)
  UNSAFE(return h;)
}

// printf may be given what a buffer holds, not where it is.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 pointer-to-integer
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} 'printf'
void printed() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(printf("%f\n", h[0]);)
  UNSAFE(printf("%p\n", (void *)h);)
  FREE;
}

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 partial-copy
// BAD-NEXT: [[#@LINE+5]]:{{[0-9]+}} cudaMemcpy
void parts() {
  PAIR;
  memset(h, 0, Bytes);
  SAFE(cudaMemcpy(d + 8, h + 8, Bytes / 2, cudaMemcpyHostToDevice);)
  UNSAFE(cudaMemcpy(d + 8, h + 9, Bytes / 2, cudaMemcpyHostToDevice);)
  update<<<1, 256>>>(d);
  FREE;
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S3 partial-copy
void offset() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(cudaMemcpy(h + 0, d, Bytes, cudaMemcpyDeviceToHost);)
  UNSAFE(cudaMemcpy(h + 1, d, Bytes - 4, cudaMemcpyDeviceToHost);)
  FREE;
}

// One buffer or the other, as the program runs.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined coverage ambiguous-pointer
// BAD-NEXT: [[#@LINE+5]]:{{[0-9]+}} cudaMemcpy
void ambiguous(float *other, bool b) {
  PAIR;
  memset(h, 0, Bytes);
  SAFE(UP;)
  UNSAFE(cudaMemcpy(d, b ? h : other, Bytes, cudaMemcpyHostToDevice);)
  UP;
  FREE;
}

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 inspected-pointer
// BAD-NEXT: [[#@LINE+7]]:{{[0-9]+}} cudaPointerGetAttributes
void inspected(float *other) {
  PAIR;
  cudaPointerAttributes a;
  memset(h, 0, Bytes);
  UP;
  SAFE(cudaPointerGetAttributes(&a, other);)
  UNSAFE(cudaPointerGetAttributes(&a, d);)
  FREE;
}

// OK: 11 pairs: 11 unified
// BAD: pairs: {{[0-9]+}} declined{{$}}
