// The host buffer is one of two that both exist, and the host reads the other one
// later: without the rule the download counts as one that overwrites either.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_acquire
// RUN: %{opt} -echo-without=choice-excludes | FileCheck %s --check-prefix=MERGES
// CHECK: define
// MERGES: call ptr @echort_acquire(
#include "../Inputs/case.h"

float choice(int which) {
  float *made = (float *)malloc(Bytes), *h = made, *d;
  memset(made, 1, Bytes);
  if (which) {
    h = (float *)malloc(Bytes);
    memset(h, 2, Bytes);
  }
  cudaMalloc(&d, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  float seen = made[0] + h[0];
  FREE;
  return seen;
}
