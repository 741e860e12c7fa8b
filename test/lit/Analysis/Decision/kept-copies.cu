// A copy that links no pair is named, with the side that Echo cannot follow, or
// that is one of several buffers.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.of -DCHOSEN
// RUN: FileCheck --input-file=%t.of --check-prefix=CHOSEN %s
#include "../../Inputs/case.h"

// OK: [[#@LINE+25]]:{{[0-9]+}} s{{.*}} + {{.*}}:[[#@LINE+26]]:{{[0-9]+}} s{{.*}} {{.*}} unified
// OK: [[#@LINE+10]]:3 copy stays: the host side
// OK: [[#@LINE+11]]:3 copy stays: the device side
// OK: 1 pair: 1 unified
// BAD: [[#@LINE+21]]:{{[0-9]+}} s{{.*}} + {{.*}}:[[#@LINE+22]]:{{[0-9]+}} s{{.*}} declined S3 pointer-escapes
// BAD-NEXT: [[#@LINE+24]]:3 the pointers are in variables that other code can reach
// BAD: [[#@LINE+5]]:3 copy stays: the host side is no buffer that this function allocates
// BAD: [[#@LINE+6]]:3 copy stays: the device side is no buffer that this function allocates
// BAD: 1 pair: 1 declined
void copies(float *given) {
  PAIR;
  cudaMemcpy(d, given, Bytes, cudaMemcpyHostToDevice);
  memset(h, 0, Bytes);
  cudaMemcpy(given, h, Bytes, cudaMemcpyHostToDevice);
  FREE;
}

// A struct that an unknown function is given may hold any pointer later.
struct State {
  float *h, *d;
  int counts[8];
};
extern "C" void unknown(State *);
void escapes() {
  State s;
  s.h = (float *)malloc(Bytes);
  cudaMalloc(&s.d, Bytes);
  UNSAFE(unknown(&s);)
  memset(s.h, s.counts[0], Bytes);
  cudaMemcpy(s.d, s.h, Bytes, cudaMemcpyHostToDevice);
  free(s.h);
  cudaFree(s.d);
}

// CHOSEN: [[#@LINE+10]]:3 copy stays: a side is one of several buffers, and no other copy says which belong together
#ifdef CHOSEN
void chosen(int which) {
  float *h1 = (float *)malloc(Bytes), *h2 = (float *)malloc(Bytes), *h = h1;
  if (which) {
    memset(h2, 1, Bytes);
    h = h2;
  }
  float *d;
  cudaMalloc(&d, Bytes);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  printf("%g %g\n", h1[0], h2[0]);
  cudaFree(d);
  free(h1);
  free(h2);
}
#endif
