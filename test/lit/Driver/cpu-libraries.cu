// On the CPU device CUDA's libraries are its own, however they are named; what
// they stand on comes with them, and with no other program.
// REQUIRES: cuda-toolkit, cpu-device, cpu-cublas
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cu
// RUN: %echo_cc -### -w --device=cpu a.cu -lcublas 2>&1 | FileCheck --check-prefix=LINK %s
// RUN: %echo_cc -### -w --device=cpu a.cu -l cublas_static -lcublasLt -lculibos 2>&1 | FileCheck --check-prefix=LINK %s
// RUN: %echo_cc -### -w --device=cpu a.cu -lcublasLt 2>&1 | FileCheck --check-prefix=LINK %s
// RUN: %echo_cc -### -w --device=cpu a.cu /opt/cuda/lib64/libcublas.so.13 2>&1 | FileCheck --check-prefix=LINK %s
// RUN: %echo_cc -### -w --device=cpu a.cu -l:libcublas_static.a -lcublas 2>&1 | FileCheck --check-prefix=LINK %s
// RUN: %echo_cc -### -w --device=cpu a.cu 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %echo_cc -### -w --device=cpu -c a.cu -lcublas 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %precompiled_cc -w --device=cpu -O1 a.cu -o app -lcublas && ./app | FileCheck %s
// RUN: %precompiled_cc -w --device=cpu -c a.cu && %precompiled_cc a.o -o app -lcublas && ./app | FileCheck %s
// RUN: %precompiled_cc -w --device=cpu a.cu -o app -lcublas -lcuda && ./app | FileCheck %s
// RUN: not %precompiled_cc -w --device=cpu -DDRIVER a.cu -o app -lcublas -lcuda 2>&1 | FileCheck --check-prefix=DRIVER %s
// RUN: not %precompiled_cc -w --device=cpu a.cu -o app 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: not %precompiled_cc -w --device=cpu a.cu -o app -lcublas -lcusparse 2>&1 | FileCheck --check-prefix=OTHER %s
// LINK-NOT: "-lcu
// LINK: libecho_cpu_cublas.a{{.*}}libecho_cpu.a{{.*}}"-lopenblas"
// LINK-NOT: libecho_cpu_cublas.a
// NONE-NOT: libecho_cpu_cublas
// NONE-NOT: openblas
// MISSING: undefined {{.*}}cublasSasum_v2
// DRIVER: undefined {{.*}}cuInit
// OTHER: unable to find library -lcusparse
// CHECK: 6
#include <cstdio>
#include <cublas_v2.h>
#ifdef DRIVER
#include <cuda.h>
int Started = int(cuInit(0));
#endif
__global__ void negate(float *X) { X[threadIdx.x] *= -1; }
int main() {
  float X[] = {1, -2, 3}, *D, Sum = 0;
  cudaMalloc(&D, sizeof(X));
  cudaMemcpy(D, X, sizeof(X), cudaMemcpyHostToDevice);
  cublasHandle_t H;
  cublasCreate(&H);
  negate<<<1, 3>>>(D);
  cublasSasum(H, 3, D, 1, &Sum);
  std::printf("%g\n", Sum);
  return cublasDestroy(H);
}
