// Under nvcc stdio.h stands before the device's code alone: a configuration
// check finds that stdlib.h does not declare FILE (Meson's CUDA test 14).
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -arch=sm_75 -fsyntax-only -DINCLUDED %s
// RUN: not %echo_cc -w -arch=sm_75 -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: error: unknown type name 'FILE'
// CHECK-NEXT: FILE *File;
// CHECK: compiling for host
#include <stdlib.h>
#ifdef INCLUDED
#include <stdio.h>
#endif
__global__ void k() { printf("%d\n", threadIdx.x); }
#ifdef __CUDA_ARCH__
__device__ FILE *Device;
#else
FILE *File;
#endif
int main() {}
