// Two device buffers of one host buffer at the same time: without the rule both
// merge. One after the other, both merge with it.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: %{opt} -echo-without=turns | FileCheck %s --check-prefixes=CHECK,BOTH
#include "../Inputs/case.h"

// CHECK: define {{.*}} @_Z8togetherPi(
// ONE-COUNT-2: call {{.*}}ptr @echort_acquire(ptr @
// BOTH-COUNT-3: call {{.*}}ptr @echort_acquire(ptr @
// CHECK-NOT: @echort_acquire(ptr @
// CHECK: {{^}}}
void together(int *flag) {
  PAIR;
  float *other;
  cudaMalloc(&other, Bytes);
  memset(h, 0, Bytes);
  UP;
  cudaMemcpy(other, h, Bytes, cudaMemcpyHostToDevice);
  readOnly<<<1, 1>>>(d, flag);
  readOnly<<<1, 1>>>(other, flag);
  cudaFree(other);
  FREE;
}

// CHECK: define {{.*}} @_Z5turnsPi(
// CHECK-COUNT-3: call {{.*}}ptr @echort_acquire(ptr @
// CHECK-NOT: @echort_acquire(ptr @
// CHECK: {{^}}}
void turns(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaFree(d);
  cudaMalloc(&d, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}
