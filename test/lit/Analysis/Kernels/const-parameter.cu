// What a kernel does with a buffer is read from its code: `const` of a parameter neither helps nor is believed.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -O1 --device=cpu --report - -c %s -o %t.o | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w -O1 --device=cpu -DCONST=const --report - -c %s -o %t.o | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w -O1 --device=cpu -DCONST=const -DWRITES --report - -c %s -o %t.o | FileCheck --check-prefix=WRITTEN %s
// RUN: %echo_cc -w -O1 --device=cpu -DCONST=const -DELSEWHERE --report - -c %s -o %t.o | FileCheck --check-prefix=UNKNOWN %s
#include <cstdio>
#include <cstdlib>
#include <cstring>
#ifndef CONST
#define CONST
#endif
#ifdef ELSEWHERE
__global__ void look(CONST float *x, float *sum);
#else
__global__ void look(CONST float *x, float *sum) {
  *sum = x[0] + x[1];
#ifdef WRITES
  const_cast<float *>(x)[2] = 0;
#endif
}
#endif
float f(size_t bytes, float *sum) {
  float *h = (float *)malloc(bytes), *d;
  cudaMalloc(&d, bytes);
  memset(h, 1, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  look<<<1, 1>>>(d, sum);
  cudaDeviceSynchronize();
  const float last = h[2];
  cudaFree(d);
  free(h);
  return last;
}
// MERGED: 1 pair: 1 unified
// WRITTEN: declined   S1 device-write-live-host
// UNKNOWN: declined   coverage unknown-kernel
