// -S, -emit-llvm and -c all give one self-contained host file.
// RUN: %echo_cc --device=cpu --no-unify -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %echo_cc --device=cpu --no-unify -O2 -S %s -o %t.s
// RUN: %echo_cc --device=cpu %t.s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O2 -emit-llvm -c %s -o %t.bc
// RUN: %echo_cc --device=cpu -c %t.bc -o %t.o
// RUN: %echo_cc --device=cpu %t.o -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// CHECK-NOT: nvptx
// CHECK-DAG: @__cuda_fatbin_wrapper = internal constant {{.*}} ptr @echo_cpu.module
// CHECK-DAG: @echo_cpu.module = private constant { i32, i32, i32, i32, ptr, ptr, ptr } { i32 1330135877, i32 2, i32 1, i32 1,
// CHECK-DAG: c"_Z6kernelPi\00"
// CHECK-DAG: @echo_dev.Value = internal global i32 4
// CHECK: define internal void @echo_cpu.kernel._Z6kernelPi
#include "Inputs/check.h"

__host__ __device__ __attribute__((noinline)) int both() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}
__device__ int Value = 4;
__global__ void kernel(int *O) { O[threadIdx.x] = both() + Value; }
int main() {
  int *O = managed<int>(2), New = 10;
  kernel<<<1, 2>>>(O);
  CHECK(O[0] == 5 && both() == 2);
  cudaMemcpyToSymbol(Value, &New, sizeof(New));
  kernel<<<1, 2>>>(O);
  CHECK(O[1] == 11);
}
