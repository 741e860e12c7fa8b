// Two files have a static kernel of one name. Facts stay with the right one:
// that which only reads lets the pair merge although h is read afterwards.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %echo_cc --device=cpu -w -flto -O2 -DREADER=a -DWRITER=b -DUSED=a main.cu other.cu -o read --report read.txt
// RUN: FileCheck %s --check-prefix=READ --input-file=read.txt
// READ: h + {{.*}} d {{.*}} unified
// RUN: %echo_cc --device=cpu -w -flto -O2 -DREADER=b -DWRITER=a main.cu other.cu -o write --report write.txt
// RUN: FileCheck %s --check-prefix=WRITE --input-file=write.txt
// WRITE: h + {{.*}} d {{.*}} declined S1 device-write-live-host
// RUN: ./read > read.out && ./write > write.out && diff read.out write.out
//--- kernel.h
#ifdef WRITES
static __global__ void work(float *d, float *out) { d[threadIdx.x] = 1; }
#else
static __global__ void work(float *d, float *out) {
  out[threadIdx.x] = d[threadIdx.x];
}
#endif
//--- other.cu
#define a 1
#define b 2
#if WRITER == 2
#define WRITES
#endif
#include "kernel.h"
void other(float *d, float *out) { work<<<1, 32>>>(d, out); }
//--- main.cu
#define a 1
#define b 2
#if WRITER == 1
#define WRITES
#endif
#include "kernel.h"
#include <cstdio>
#include <cstdlib>
void other(float *d, float *out);
int main() {
  const int n = 1 << 16;
  float *h = (float *)malloc(n * sizeof(float)), *d, *e, *f;
  for (int i = 0; i < n; ++i)
    h[i] = 5;
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&e, n * sizeof(float));
  cudaMalloc(&f, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  work<<<1, 32>>>(d, e);
  other(f, e);
  cudaDeviceSynchronize();
  printf("%g\n", h[0]);
  cudaFree(d);
  cudaFree(e);
  cudaFree(f);
  free(h);
}
