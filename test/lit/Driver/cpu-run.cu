// Programs for the CPU device build and run in every way that others do.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cu
// RUN: %precompiled_cc -w --device=cpu -O2 a.cu -o app && ./app | FileCheck %s
// RUN: %precompiled_cc -w --device=cpu -O0 -g a.cu -o app && ./app | FileCheck %s
// RUN: %precompiled_cc -w --device=cpu -c a.cu && %precompiled_cc --device=cpu a.o -o app && ./app | FileCheck %s
// RUN: %precompiled_cc a.o -o app && ./app | FileCheck %s
// As nvcc does, and with the quotes that Meson adds:
// RUN: %precompiled_cc --run '"./app"' | FileCheck %s
// RUN: not %precompiled_cc --run a.cu 2>&1 | FileCheck --check-prefix=NO-PROGRAM %s
// NO-PROGRAM: error: '--run' runs one executable that is there
// RUN: %precompiled_cc a.o -lcudart -o app && ./app | FileCheck %s
// RUN: %precompiled_cc -w --device=cpu -cudart shared a.cu -o app && ./app | FileCheck %s
// RUN: readelf -d app | FileCheck --check-prefix=SHARED %s
// RUN: ar rcs liba.a a.o && %precompiled_cc liba.a -o app && ./app | FileCheck %s
// RUN: %precompiled_cc -w --device=cpu -O1 -S a.cu && %precompiled_cc --device=cpu a.s -o app && ./app | FileCheck %s
// RUN: %precompiled_cc -w --device=cpu -O2 -S -emit-llvm a.cu -o a.ll && FileCheck --check-prefix=IR --input-file=a.ll %s
// RUN: %echo_cc -w --device=cpu -save-temps a.cu -o app && ./app | FileCheck %s
// RUN: %precompiled_cc -w --device=cpu -fsanitize=undefined a.cu -o app && ./app | FileCheck %s
// RUN: %precompiled_cc -w --device=cpu -arch=sm_80 -rdc=true -c a.cu -o main.o
// RUN: %precompiled_cc --device=cpu main.o -o app && ./app | FileCheck %s
// RUN: %precompiled_cc -w --device=cpu -E a.cu | FileCheck --check-prefix=PP %s
// RUN: %precompiled_cc -w --device=cpu -MM a.cu | FileCheck --check-prefix=DEPS %s
// CHECK: no error 6
// IR: echo_cpu
// SHARED: NEEDED{{.*}}libcudart.so.
// PP: int main
// DEPS: a.o: a.cu
#include <cstdio>
__global__ void k(int *p) { atomicAdd(p, threadIdx.x); }
int main() {
  int *d, h = 0;
  cudaMalloc(&d, sizeof(int));
  cudaMemcpy(d, &h, sizeof(int), cudaMemcpyHostToDevice);
  k<<<1, 4>>>(d);
  cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", cudaGetErrorString(cudaGetLastError()), h);
  return cudaFree(d);
}
