// A shared variable that a kernel and a function that stays a call both use is
// one variable, at file scope and in the kernel.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc --device=cpu --no-unify -w -O0 %s -o %t && %t | FileCheck %s
// RUN: %echo_cc --device=cpu --no-unify -w -O2 %s -o %t && %t | FileCheck %s
// CHECK: 3 7 no error
#include <cstdio>
static __shared__ float *file;
static __device__ __noinline__ float at(float **t, int i) { return (*t)[i]; }
static __device__ __noinline__ float ofFile(int i) { return file[i]; }
__global__ void inKernel(float *p, float *o) {
  __shared__ float *t;
  if (threadIdx.x == 0)
    t = p;
  __syncthreads();
  o[threadIdx.x] = at(&t, threadIdx.x);
}
__global__ void atFile(float *p, float *o) {
  if (threadIdx.x == 0)
    file = p;
  __syncthreads();
  o[threadIdx.x] = ofFile(threadIdx.x);
}
int main() {
  float h[32], r[32], s[32], *d, *o;
  cudaMalloc(&d, 128);
  cudaMalloc(&o, 128);
  for (int i = 0; i < 32; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
  inKernel<<<1, 32>>>(d, o);
  cudaMemcpy(r, o, 128, cudaMemcpyDeviceToHost);
  atFile<<<1, 32>>>(d, o);
  cudaMemcpy(s, o, 128, cudaMemcpyDeviceToHost);
  printf("%g %g %s\n", r[3], s[7], cudaGetErrorString(cudaGetLastError()));
}
