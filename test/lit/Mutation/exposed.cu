// A buffer whose address is in device memory: with the rule turned off, no kernel
// is taken to find it there, and the program that is declined merges.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cuda --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_
// CHECK: define
// RUN: %{opt} -echo-without=exposed-use | FileCheck %s --check-prefix=MERGES
// MERGES: call ptr @echort_acquire(
#include "../Inputs/case.h"

__device__ float *table;
int main() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaMemcpyToSymbol(table, &d, sizeof(d));
  update<<<1, 256>>>(nullptr);
  cudaDeviceSynchronize();
  float seen = h[0];
  FREE;
  return seen > 0;
}
