// The host uses h while other GPU work may run. Without the rule the group says
// that it does not (flag 1; 16384 says that CUDA follows), and a device without concurrent managed access
// faults.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s -DFLAGS=16384
// RUN: %{opt} -echo-without=quiescence | FileCheck %s -DFLAGS=16385
// CHECK: @echo.group = internal global { i32, i32, ptr, ptr, i64, ptr } { i32 15, i32 [[FLAGS]],
#include "../Inputs/case.h"

int main() {
  int *flag;
  cudaMalloc(&flag, 4);
  PAIR;
  cudaMemset(flag, 0, 4);
  memset(h, 0, Bytes);
  UP;
  DOWN;
  FREE;
  cudaFree(flag);
}
