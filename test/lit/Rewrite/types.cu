// Two host buffers of different types share a block: nothing says any more that
// a float and an int are never in one place.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefix=BEFORE < %t.ll
// RUN: %opt -echo-model=%echo_source/models/libc.model -echo-kernel-facts=%S/../Mutation/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll | FileCheck %s --implicit-check-not='!tbaa'
// BEFORE: load float, {{.*}} !tbaa
// CHECK: define {{.*}} @_Z8twoTypesv(
// CHECK-COUNT-3: call ptr @echort_acquire(ptr @echo.group
#include "../Inputs/case.h"

float twoTypes() {
  PAIR;
  int *other = (int *)malloc(Bytes);
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  float seen = h[3];
  for (int i = 0; i < Count; ++i)
    other[i] = i;
  cudaMemcpy(d, other, Bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToHost);
  int last = other[0];
  FREE;
  free(other);
  return seen + last;
}
