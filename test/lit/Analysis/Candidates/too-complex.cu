// A function is analyzed with what it inlines, up to 40,000 instructions, or a
// third of that without variables. Past it, what is not inlined is unknown, and
// no pair that it may reach is merged.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"

#define TEN(x) x x x x x x x x x x
static int last;
static void once(float *h, float *d) {
  TEN(TEN(h[last] = last + 2; last = last * 3;))
  UP;
  update<<<1, 1>>>(d);
  cudaDeviceSynchronize();
}
static void ten(float *h, float *d) { TEN(once(h, d);) }
static void hundred(float *h, float *d) { TEN(ten(h, d);) }

// OK: [[#@LINE+4]]:{{[0-9]+}} h{{.*}} + {{.*}}:[[#@LINE+6]]:3 d {{.*}} unified
// OK: 1 pair: 1 unified
// BAD: [[#@LINE+2]]:{{[0-9]+}} h{{.*}} + {{.*}}:[[#@LINE+4]]:3 d {{.*}} declined coverage too-complex
void many() {
  float *h = (float *)malloc(Bytes);
  float *d;
  cudaMalloc(&d, Bytes);
  once(h, d);
  UNSAFE(hundred(h, d);)
  cudaFree(d);
  free(h);
}
