// Kernels that call device functions of other files (-rdc=true): with -flto
// their facts are joined at the link. A callee that keeps the pointer, one
// that no unit has, and a static function that only has the callee's name
// leave the pair as it is.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %echo_cc --device=cpu -rdc=true -flto -w -O2 -c main.cu -o main.o
// RUN: %echo_cc --device=cpu -rdc=true -flto -w -O2 -c work.cu -o work.o
// RUN: %echo_cc --device=cpu -rdc=true -flto -w -O2 -c work.cu -DKEEP -o keep.o
// RUN: %echo_cc --device=cpu -rdc=true -flto -w -O2 -c work.cu -DRETURN -o return.o
// RUN: %echo_cc --device=cpu -rdc=true -w -O2 -c work.cu -o alone.o
// RUN: %echo_cc --device=cpu -rdc=true -flto -w -O2 -c namesake.cu -o namesake.o
// RUN: %echo_cc --device=cpu -rdc=true -flto -w main.o work.o -o app --report joined && ./app | FileCheck %s
// RUN: FileCheck %s --check-prefix=JOINED --input-file=joined
// JOINED: unified 2 copies removed
// JOINED: declined S3 captured-by-kernel
// JOINED: 2 pairs: 1 unified, 1 declined
// RUN: %echo_cc --device=cpu -rdc=true -flto -w main.o work.o namesake.o -o app --report both && ./app | FileCheck %s
// RUN: FileCheck %s --check-prefix=JOINED --input-file=both
// Static functions of one name: each kernel has its own file's.
// RUN: %echo_cc --device=cpu -rdc=true -flto -w -O2 -c main.cu -DKEEP -o keeping.o
// RUN: %echo_cc --device=cpu -rdc=true -flto -w -O2 -c namesake.cu -DHARMLESS -o harmless.o
// RUN: %echo_cc --device=cpu -rdc=true -flto -w keeping.o work.o harmless.o -o app --report own && ./app | FileCheck %s
// RUN: FileCheck %s --check-prefix=DECLINED --input-file=own
// RUN: %echo_cc --device=cpu -rdc=true -flto -w main.o keep.o -o app --report kept && ./app | FileCheck %s
// RUN: FileCheck %s --check-prefix=DECLINED --input-file=kept
// RUN: %echo_cc --device=cpu -rdc=true -flto -w main.o return.o -o app --report returned && ./app | FileCheck %s
// RUN: FileCheck %s --check-prefix=DECLINED --input-file=returned
// RUN: %echo_cc --device=cpu -rdc=true -flto -w main.o alone.o namesake.o -o app --report missing && ./app | FileCheck %s
// RUN: FileCheck %s --check-prefix=DECLINED --input-file=missing
// DECLINED: 2 pairs: 2 declined
// CHECK: 18 36

// The device link of a GPU program finds the same functions.
// RUN: %echo_cc -arch=sm_90 -rdc=true -flto -w -O2 main.cu work.cu -o gpu --report gpu.txt
// RUN: FileCheck %s --check-prefix=JOINED --input-file=gpu.txt
// RUN: %echo_cc -arch=sm_90 -dc -w -O2 main.cu -o main.gpu.o
// RUN: %echo_cc -arch=sm_90 -dc -w -O2 work.cu -o work.gpu.o
// RUN: %echo_cc -arch=sm_90 -dlink main.gpu.o work.gpu.o -o dlink.o
// RUN: %echo_cc -arch=sm_90 main.gpu.o work.gpu.o dlink.o -o gpu

//--- main.cu
#include <cstdio>
#include <cstdlib>
__device__ float *bump(float *P, int I);
__device__ void twice(float *const *P, int I);
#ifdef KEEP
__device__ float *Kept;
#endif
__device__ __noinline__ static void one(float *P, int I) {
  bump(P, I);
#ifdef KEEP
  Kept = P;
#endif
}
__global__ void add(float *P, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    one(P, I);
}
// The pointer reaches the other file in memory.
__global__ void doubled(float *P, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    twice(&P, I);
}
float *get(int N) {
  float *h = (float *)malloc(N * sizeof(float));
  for (int I = 0; I < N; I++)
    h[I] = I;
  return h;
}
int main() {
  const int N = 1 << 18;
  float *h = get(N), *d, *h2 = get(N), *d2;
  cudaMalloc(&d, N * sizeof(float));
  cudaMemcpy(d, h, N * sizeof(float), cudaMemcpyHostToDevice);
  add<<<N / 256, 256>>>(d, N);
  cudaMemcpy(h, d, N * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMalloc(&d2, N * sizeof(float));
  cudaMemcpy(d2, h2, N * sizeof(float), cudaMemcpyHostToDevice);
  doubled<<<N / 256, 256>>>(d2, N);
  cudaMemcpy(h2, d2, N * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[17], h2[18]);
  cudaFree(d);
  cudaFree(d2);
  free(h);
  free(h2);
}
//--- work.cu
#ifdef KEEP
__device__ float *Kept;
#endif
__device__ __noinline__ static void one(float *P) { *P += 1; }
__device__ __noinline__ float *bump(float *P, int I) {
  one(P + I);
#ifdef KEEP
  Kept = P;
#endif
#ifdef RETURN
  return P;
#else
  return nullptr;
#endif
}
__device__ __noinline__ void twice(float *const *P, int I) { (*P)[I] *= 2; }
//--- namesake.cu
__device__ float *Other;
#ifdef HARMLESS
__device__ __noinline__ static void one(float *P, int) { *P += 1; }
#else
__device__ __noinline__ static void one(float *P, int) { Other = P + 1; }
#endif
__device__ __noinline__ static float *bump(float *P, int) { return Other = P; }
__global__ void unused(float *P) {
  one(P, 1);
  bump(P, 0);
}
