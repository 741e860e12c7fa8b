// ECHO_ASSUME_UNIFIED: a pair that the source vouches for, and what it leaves of
// the program.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %echo_cc -Wall --device=cpu -O1 -c app.cu -o app.o --report pairs 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: FileCheck --check-prefix=PAIRS %s < pairs
// RUN: %echo_cc -w --device=cpu -g -c %t/app.cu -o app.o --report pairs && FileCheck --check-prefix=PAIRS %s < pairs
// RUN: %echo_cc -w --device=cpu -flto -O1 app.cu -o app --report pairs && FileCheck --check-prefix=PAIRS %s < pairs
// RUN: %echo_cc -w --device=cpu -O1 app.cu -o app
// RUN: env ECHO_STATS=1 ECHO_BACKING=mapped ./app 2>&1 | FileCheck --check-prefix=RAN %s
// WARN-NOT: warning
// WARN: warning: echo: app.cu:37: no pair of this function has host buffer 'h' and device buffer 'x'
// WARN-NOT: unknown pragma
// PAIRS: app.cu:6:23 h + {{.*}}app.cu:7:3 d {{.*}} assumed {{.*}} overrules S1 device-write-live-host
// PAIRS: app.cu:20:23 h + {{.*}}app.cu:21:3 d {{.*}} declined S1 device-write-live-host
// PAIRS: app.cu:34:23 h + {{.*}}app.cu:35:3 d {{.*}} declined S1 device-write-live-host
// PAIRS: app.cu:49:15 h + {{.*}}app.cu:50:3 d {{.*}} assumed {{.*}} overrules S1 device-write-live-host
// RAN: 2 pairs merged (mapped; 2 assumed)

// No code comes of it: the unit is as without the macro, and as clang's.
// RUN: %echo_cc -w --device=cpu --no-unify -O0 -S -emit-llvm app.cu -o with.ll
// RUN: %echo_cc -w --device=cpu --no-unify -O0 -S -emit-llvm -DWITHOUT app.cu -o without.ll
// RUN: diff with.ll without.ll

// It outlives a preprocessor, and other compilers read over it.
// RUN: %echo_cc -w --device=cpu -E --cuda-host-only app.cu -o - | FileCheck --check-prefix=TEXT %s
// TEXT: #pragma echo assume_unified(h, d)
// RUN: %clangxx22 -Wall -Werror -I%echo_lib/include -fsyntax-only plain.cpp
// RUN: %clang22 -Wall -Werror -I%echo_lib/include -fsyntax-only -x c plain.cpp

// RUN: not %echo_cc -w --device=cpu -c bad.cu -o bad.o 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: bad.cu:2:{{.*}}error: ECHO_ASSUME_UNIFIED expects the names of two variables
// RUN: %echo_cc --device=cpu -c outside.cu -o outside.o 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// OUTSIDE: outside.cu:2:{{.*}}warning: ECHO_ASSUME_UNIFIED is in no function's body

//--- app.cu
#include "before.h"
#include <cstdio>
#include <cstdlib>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
float vouched(size_t bytes) {
  float *h = (float *)malloc(bytes), *d;
  cudaMalloc(&d, bytes);
  VOUCH(h, d);
  h[0] = 1;
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  twice<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float seen = h[0];
  cudaFree(d);
  free(h);
  return seen;
}
// The same names in another function.
float other(size_t bytes) {
  float *h = (float *)malloc(bytes), *d;
  cudaMalloc(&d, bytes);
  h[0] = 1;
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  twice<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float seen = h[0];
  cudaFree(d);
  free(h);
  return seen;
}

// Another name.
float wrongName(size_t bytes) {
  float *h = (float *)malloc(bytes), *d;
  cudaMalloc(&d, bytes);
  h[0] = 1;
  STRANGER(h, x);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  twice<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float seen = h[0];
  cudaFree(d);
  free(h);
  return seen;
}

template <class T> float generic(size_t bytes) {
  VOUCH(h, d);
  T *h = (T *)malloc(bytes), *d;
  cudaMalloc(&d, bytes);
  h[0] = 1;
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  twice<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float seen = h[0];
  cudaFree(d);
  free(h);
  return seen;
}
int main() {
  return vouched(1 << 20) + generic<float>(1 << 20) == 0;
}
//--- before.h
#include <echo/assume.h>
#ifdef WITHOUT
#define VOUCH(h, d)
#define STRANGER(h, x)
#else
#define VOUCH(h, d) ECHO_ASSUME_UNIFIED(h, d)
#define STRANGER(h, x) ECHO_ASSUME_UNIFIED(h, x)
#endif
//--- plain.cpp
#include <echo/assume.h>
int f(int n) {
  int h = n, d = n;
  ECHO_ASSUME_UNIFIED(h, d);
  return h + d;
}
//--- bad.cu
#include <echo/assume.h>
void f(float **p) { ECHO_ASSUME_UNIFIED(p[0], p[1]); }
//--- outside.cu
#include <echo/assume.h>
ECHO_ASSUME_UNIFIED(h, d)
