// A pointer that a kernel leaves in a variable of its block, from where a
// function takes it for another unit's; and a kernel that calls the other unit
// for one architecture only.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: bash -c "for f in O2 O0; do %echo_cc --device=cpu -rdc=true -flto -w -\$f --min-bytes=1 main.cu get.cu -o left --report left.txt && ./left | FileCheck main.cu || exit 1; done"
// RUN: FileCheck --check-prefix=DECLINED --input-file=left.txt main.cu
// RUN: %echo_cc --device=cpu -rdc=true -flto -w -O2 --min-bytes=1 -DGIVEN main.cu get.cu -o given --report given.txt && ./given | FileCheck main.cu
// RUN: FileCheck --check-prefix=DECLINED --input-file=given.txt main.cu
// RUN: %echo_cc --device=cpu -rdc=true -flto -w -O2 --min-bytes=1 -DAFTER main.cu get.cu -o after --report after.txt && ./after | FileCheck main.cu
// RUN: FileCheck --check-prefix=EITHER --input-file=after.txt main.cu
// RUN: %echo_cc -rdc=true -flto -w -O2 --min-bytes=1 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 two.cu get.cu -o two --report two.txt
// RUN: FileCheck --input-file=two.txt two.cu
// RUN: %echo_cc -rdc=true -flto -w -O2 --min-bytes=1 -DREADS -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 two.cu get.cu -o reads --report reads.txt
// RUN: FileCheck --check-prefix=READS --input-file=reads.txt two.cu
//--- get.cu
__device__ __noinline__ float get(float *q, int i) { return q[i]; }
//--- main.cu
// CHECK: 523776 -1024
// DECLINED: h + {{.*}}declined
// EITHER: h + {{.*}}{{declined|unified}}
#include <cstdio>
#include <cstdlib>
extern __device__ float get(float *q, int i);
static __device__ __noinline__ void put(float **t, float *p) { *t = p; }
static __device__ __noinline__ float at(float **t, int i) { return get(*t, i); }
__global__ void k(float *d, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef GIVEN
  if (i < n)
    o[i] = get(d, i);
#else
  __shared__ float *t;
  if (threadIdx.x == 0)
    put(&t, d);
  __syncthreads();
  if (i < n)
    o[i] = at(&t, i);
#endif
}
int main() {
  int n = 1024;
  float *h = (float *)malloc(n * 4), *r = (float *)malloc(n * 4), *d, *o;
  cudaMalloc(&d, n * 4);
  cudaMalloc(&o, n * 4);
  for (int i = 0; i < n; ++i)
    h[i] = i;
  cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
#ifndef AFTER
  for (int i = 0; i < n; ++i)
    h[i] = -1;
#endif
  k<<<4, 256>>>(d, o, n);
  cudaMemcpy(r, o, n * 4, cudaMemcpyDeviceToHost);
#ifdef AFTER
  for (int i = 0; i < n; ++i)
    h[i] = -1;
#endif
  double s = 0, t = 0;
  for (int i = 0; i < n; ++i)
    s += r[i], t += h[i];
  printf("%g %g\n", s, t);
  cudaFree(d);
  cudaFree(o);
  free(h);
  free(r);
}
//--- two.cu
// CHECK: h + {{.*}}declined   S1 device-write-live-host
// READS: h + {{.*}}unified
#include <cstdio>
#include <cstdlib>
extern __device__ float get(float *q, int i);
static __global__ void k(float *p, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if __CUDA_ARCH__ >= 900 || defined(READS)
  if (i < n)
    o[i] = get(p, i);
#else
  if (i < n)
    p[i] = o[i] - i;
#endif
}
int main() {
  int n = 1024;
  float *h = (float *)malloc(n * 4), *d, *o;
  cudaMalloc(&d, n * 4);
  cudaMalloc(&o, n * 4);
  cudaMemset(o, 0, n * 4);
  for (int i = 0; i < n; ++i)
    h[i] = i;
  cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
  k<<<4, 256>>>(d, o, n);
  cudaDeviceSynchronize();
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += h[i];
  printf("%g\n", s);
  cudaFree(d);
  cudaFree(o);
  free(h);
}
