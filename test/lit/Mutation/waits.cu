// A merged pair may make the host wait where the program does not: calloc of a
// block that work may use does. Where kernels print or wait for the host such a
// pair is declined, and merges without the rule.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{facts} = printing
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/%{facts}.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s --check-prefix=APART
// RUN: %{opt} -echo-without=printing-kernel | FileCheck %s --check-prefix=MERGES
// REDEFINE: %{facts} = waiting
// RUN: %{opt} | FileCheck %s --check-prefix=APART
// RUN: %{opt} -echo-without=waiting-kernel | FileCheck %s --check-prefix=MERGES
#include "../Inputs/case.h"

// APART: define {{.*}}clears
// APART-NOT: @echort_acquire(
// APART: ret
// MERGES: define {{.*}}clears
// MERGES: @echort_acquire(
// MERGES: ret
void clears() {
  float *d;
  cudaMalloc(&d, Bytes);
  float *h = (float *)calloc(Count, sizeof(float));
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  LOOK;
  FREE;
}
