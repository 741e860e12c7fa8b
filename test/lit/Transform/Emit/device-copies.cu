// echort is told of copies that stay and for which CUDA must take the device side
// for device memory: those that do not say their direction, and asynchronous ones.
// So it is of copies to arrays, and of libraries.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OK
// RUN: %echo_cc -w --device=cpu -O1 -S -emit-llvm %s -o - -DBLOCKED | FileCheck %s --check-prefix=BAD
// RUN: %echo_cc -w --device=cpu -O1 -S -emit-llvm %s -o - -DASYNC | FileCheck %s --check-prefix=BAD
// RUN: %echo_cc -w --device=cpu -O1 -S -emit-llvm %s -o - -DINTO | FileCheck %s --check-prefix=BAD
// RUN: %echo_cc -w --device=cuda -arch=sm_75 -O1 -S -emit-llvm --cuda-host-only %s -o - -DARRAY | FileCheck %s --check-prefix=BAD
// OK: @echo.group = internal global {{.*}} { i32 {{[0-9]+}}, i32 {{(0|1|16384|16385)}}, ptr
// BAD: @echo.group = internal global {{.*}} { i32 {{[0-9]+}}, i32 {{(32|33|16416|16417)}}, ptr
#include "../../Inputs/case.h"

#ifdef ARRAY
static cudaArray_t Array;
#endif
void copied(float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
#if defined(ASYNC)
  cudaMemcpyAsync(other, d, Bytes, cudaMemcpyDeviceToDevice, 0);
#elif defined(ARRAY)
  cudaMemcpy2DToArrayAsync(Array, 0, 0, d, 64, 64, 4, cudaMemcpyDeviceToDevice, 0);
#elif defined(INTO)
  cudaMemcpyAsync(d, other, Bytes, cudaMemcpyDeviceToDevice, 0);
#else
  cudaMemcpy(other, d, Bytes, SAFE(cudaMemcpyDeviceToDevice) UNSAFE(cudaMemcpyDefault));
#endif
  cudaDeviceSynchronize();
  FREE;
}
