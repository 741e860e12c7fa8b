// What merges is no memory of malloc's: who asks how much of the heap is used
// while the buffers exist sees the difference. A call in another function, or
// one that asks for something else, sees none.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -DASK='(void)mallinfo2()' --device=cpu -O2 --min-bytes=1 --report %t.1 -c %s -o %t.o
// RUN: FileCheck --check-prefix=DECLINED --input-file=%t.1 %s
// RUN: %echo_cc -w -DASK='malloc_stats()' --device=cpu -O2 --min-bytes=1 --report %t.2 -c %s -o %t.o
// RUN: FileCheck --check-prefix=DECLINED --input-file=%t.2 %s
// RUN: %echo_cc -w -DASK='stays()' --device=cpu -O2 --min-bytes=1 --report %t.3 -c %s -o %t.o
// RUN: FileCheck --check-prefix=DECLINED --input-file=%t.3 %s
// RUN: %echo_cc -w -DASK='(void)malloc_trim(0)' --device=cpu -O2 --min-bytes=1 --report %t.4 -c %s -o %t.o
// RUN: FileCheck --check-prefix=UNIFIED --input-file=%t.4 %s
// RUN: %echo_cc -w -DASK= -DELSEWHERE --device=cpu -O2 --min-bytes=1 --report %t.5 -c %s -o %t.o
// RUN: FileCheck --check-prefix=UNIFIED --input-file=%t.5 %s
// DECLINED: declined   coverage heap-observed
// UNIFIED: 1 pair: 1 unified
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
__attribute__((noinline)) void stays() { printf("%zu\n", mallinfo2().uordblks); }
int work() {
  int *h = (int *)malloc(4096), *d;
  if (cudaMalloc(&d, 4096))
    return 1;
  for (int i = 0; i < 1024; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 4096, cudaMemcpyHostToDevice);
  twice<<<1, 1024>>>(d);
  cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost);
  ASK;
  int last = h[1023];
  cudaFree(d);
  free(h);
  return last;
}
#ifdef ELSEWHERE
void report() { stays(); }
#endif
