// A pair whose allocation, launches and reads lie in other files: decided at
// link time with -flto, and only then.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %echo_cc --device=cpu -w -flto -O2 main.cu work.cu host.cpp -o app --report one
// RUN: env ECHO_STATS=1 ./app 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: FileCheck %s --check-prefix=MERGED --input-file=one
// MERGED: main.cu:{{.*}} h + main.cu:{{.*}} d {{.*}} unified 2 copies removed
// RAN-DAG: 6
// RAN-DAG: 1 pair merged

// RUN: %echo_cc --device=cpu -w -flto -O0 main.cu work.cu host.cpp -o app0 --report zero
// RUN: env ECHO_STATS=1 ./app0 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: FileCheck %s --check-prefix=MERGED --input-file=zero

// Objects, also out of an archive, with either kind of optimization. A report
// named when compiling is written by the link.
// RUN: %echo_cc --device=cpu -w -O2 -flto -c main.cu -o main.o --report kept
// RUN: not ls kept
// RUN: %echo_cc --device=cpu -w -O2 -flto=thin -c work.cu -o work.o
// RUN: %echo_cxx -O2 -flto=thin -c host.cpp -o host.o
// RUN: %echo_cc -flto main.o work.o host.o -o full
// RUN: env ECHO_STATS=1 ./full 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: FileCheck %s --check-prefix=MERGED --input-file=kept
// RUN: %llvm_tools/llvm-ar rcs libwork.a work.o host.o
// RUN: %echo_cc -flto=thin main.o -L. -lwork -o archive --report archived
// RUN: env ECHO_STATS=1 ./archive 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: FileCheck %s --check-prefix=MERGED --input-file=archived

// A file that keeps the pointer: no.
// RUN: %echo_cc --device=cpu -w -flto -O2 -DKEEP main.cu work.cu host.cpp -o keep --report keep.txt
// RUN: ./keep | FileCheck %s --check-prefix=OUTPUT
// RUN: FileCheck %s --check-prefix=KEEP --input-file=keep.txt
// OUTPUT: 6
// KEEP: declined S3 pointer-escapes

// Each file alone: the hint says what helps.
// RUN: %echo_cc --device=cpu -w -O2 main.cu work.cu host.cpp -o alone --report alone.txt
// RUN: ./alone | FileCheck %s --check-prefix=OUTPUT
// RUN: FileCheck %s --check-prefix=ALONE --input-file=alone.txt
// ALONE-NOT: unified
// ALONE: 2 copies stay: {{.*}}-flto
// A file that is no bitcode: what it does is not in sight. Nobody is told to give -flto.
// MIXED-NOT: unified
// MIXED: 2 copies stay: {{.*}} that Echo follows{{$}}
// RUN: %clangxx22 -O2 -c host.cpp -o host.o
// RUN: %echo_cc -flto main.o work.o host.o -o mixed --report mixed.txt
// RUN: ./mixed | FileCheck %s --check-prefix=OUTPUT
// RUN: FileCheck %s --check-prefix=MIXED --input-file=mixed.txt

//--- app.h
#include <cstddef>
float *makeHost(size_t n);
double sum(const float *p, size_t n);
void scale(float *d, size_t n, float f);
//--- host.cpp
#include "app.h"
#include <cstdlib>
float *Last;
float *makeHost(size_t n) {
  float *p = (float *)malloc(n * sizeof(float));
  if (!p)
    abort();
#ifdef KEEP
  Last = p;
#endif
  return p;
}
#ifdef KEEP
static float first() { return Last[0]; }
float (*volatile Reader)() = first;
#else
float (*volatile Reader)() = nullptr;
#endif
double sum(const float *p, size_t n) {
  double s = n ? 0 : Reader();
  for (size_t i = 0; i < n; ++i)
    s += p[i];
  return s / n;
}
//--- work.cu
#include "app.h"
__global__ void times(float *d, size_t n, float f) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n)
    d[i] *= f;
}
void scale(float *d, size_t n, float f) {
  times<<<(n + 255) / 256, 256>>>(d, n, f);
}
//--- main.cu
#include "app.h"
#include <cstdio>
#include <cstdlib>
int main() {
  size_t n = 1 << 18;
  float *h = makeHost(n), *d;
  for (size_t i = 0; i < n; ++i)
    h[i] = 2;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale(d, n, 3);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", sum(h, n));
  cudaFree(d);
  free(h);
}
