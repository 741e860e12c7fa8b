// Report files: one section a unit, replaced on recompilation, shared by
// compilers that run together, and never written over something else.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu && cp %s b.cu
// RUN: %echo_cc -w -O2 --report r.txt --report-json r.json -c b.cu
// RUN: %echo_cc -w -O2 --report r.txt --report-json r.json -c a.cu -DNONE
// RUN: FileCheck --check-prefix=BOTH --input-file=r.txt %s
// RUN: FileCheck --check-prefix=JSON --input-file=r.json %s
// RUN: %echo_cc -w -O2 --report r.txt --report-json r.json -c a.cu
// RUN: FileCheck --check-prefix=AGAIN --input-file=r.txt %s
// RUN: ls | FileCheck --check-prefix=CLEAN %s
// RUN: not %echo_cc -w -O2 --report a.cu -c b.cu -o x.o 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: cmp a.cu b.cu && not test -e x.o
// RUN: %echo_cc -w -O2 --report - -c a.cu | FileCheck --check-prefix=STREAM %s
// RUN: %echo_cc -w -O2 --report-json=- -c a.cu | FileCheck --check-prefix=STREAMJ %s
// RUN: not ls -- -
// STREAM: # unit a.cu
// STREAM: 1 pair: 1 unified
// STREAMJ: "source": "a.cu"
// BOTH: # unit a.cu
// BOTH-NEXT: 0 pairs: no copy links a heap buffer of the host to one of the device
// BOTH-NEXT: # unit b.cu
// BOTH-NEXT: b.cu:[[#]]:[[#]] h + b.cu:[[#]]:[[#]] d   4.00 MiB   unified    1 copy removed ([[#]]:[[#]] H2D)
// BOTH-NEXT: 1 pair: 1 unified
// JSON: "echo": "{{[0-9.]+}}"
// JSON: "pairs": []
// JSON: "source": "a.cu"
// JSON: "verdict": "unified"
// JSON: "source": "b.cu"
// AGAIN: # unit a.cu
// AGAIN-NEXT: a.cu:[[#]]:[[#]] h + a.cu:{{.*}}unified
// AGAIN-NEXT: 1 pair: 1 unified
// AGAIN-NEXT: # unit b.cu
// CLEAN-NOT: lock
// CLEAN-NOT: new
// OTHER: error: {{.*}}cannot write report 'a.cu'{{.*}}no Echo report
#include <cstdlib>
__global__ void read(const float *x, int *y) { *y = x[threadIdx.x] > 0; }
void f(int *y) {
#ifndef NONE
  float *h = (float *)malloc(4 << 20), *d;
  cudaMalloc(&d, 4 << 20);
  for (int i = 0; i < 1 << 20; i++)
    h[i] = i;
  cudaMemcpy(d, h, 4 << 20, cudaMemcpyHostToDevice);
  read<<<1, 256>>>(d, y);
  cudaDeviceSynchronize();
  cudaFree(d);
  free(h);
#endif
}
