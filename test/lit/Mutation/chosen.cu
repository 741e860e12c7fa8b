// A copy from one of two device buffers overwrites what the merged one holds.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_acquire
// RUN: %{opt} -echo-without=chosen-copy | FileCheck %s --check-prefix=MERGES
// CHECK: define
// MERGES: call ptr @echort_acquire(
#include "../Inputs/case.h"

float chosen(bool first, int *flag) {
  PAIR;
  float *other;
  cudaMalloc(&other, Bytes);
  memset(h, 0, Bytes);
  UP;
  writeOnly<<<1, 256>>>(other);
  cudaMemcpy(h, first ? d : other, Bytes, cudaMemcpyDeviceToHost);
  float seen = h[0];
  readOnly<<<1, 1>>>(d, flag);
  cudaFree(other);
  FREE;
  return seen;
}
