// RUN: %echo_cc --device=cpu --no-unify -fgpu-rdc -c -O0 %s -o %t.o
// RUN: %echo_cc --device=cpu --no-unify -fgpu-rdc -c -O2 %S/Inputs/rdc_other.cu -o %t2.o
// RUN: %echo_cc --device=cpu --no-unify -fgpu-rdc %t.o %t2.o -o %t && %t
// RUN: not %echo_cc --device=cpu --no-unify -c %s -o %t3.o 2>&1 | FileCheck %s
// REQUIRES: cuda-toolkit, cpu-device
// CHECK: error: device variable 'Shared' has no definition; define it in this file or compile with -fgpu-rdc
#include "Inputs/check.h"

extern __device__ int Shared;
extern __device__ int (*Pointer)(int);
__device__ int mirrored(int);
template <typename T> __device__ T plusOne(T X) { return X + 1; }
__global__ void kernel(int *O) {
  O[threadIdx.x] = mirrored(threadIdx.x) + Shared + plusOne(1) + Pointer(1);
}

int main() {
  int *O = managed<int>(32);
  kernel<<<1, 32>>>(O);
  CHECK(O[0] == 2 * 31 + 100 + 2 - 1 && O[31] == 101);
}
