// Another pair's order rests on a copy: where that fails, echort keeps the
// order. A linking copy sees to it where it runs as written.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-share-calls=false -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} -echo-kernel-facts=%S/Inputs/kernels.facts | FileCheck %s
// RUN: %{opt} -echo-kernel-facts=%S/Inputs/kernels.facts -echo-without=failing-copy-waits | FileCheck %s --check-prefix=NONE
// A wait might never end where GPU work may wait for the host.
// RUN: %{opt} -echo-kernel-facts=%S/Inputs/waiting.facts | FileCheck %s --check-prefix=NONE
// NONE: @echort_acquire(
// NONE-NOT: call void @echort_copy_ran(i32 {{512|609}},
#include "../Inputs/case.h"

extern "C" {

// CHECK: define {{.*}} @otherDownload(
// CHECK: [[ERROR:%.*]] = call i32 @cudaMemcpy({{.*}}, i64 noundef 4, i32 noundef 2)
// CHECK-NEXT: call void @echort_copy_ran(i32 512, ptr null, i32 [[ERROR]])
float otherDownload() {
  float first, *other;
  cudaMalloc(&other, 4);
  PAIR;
  memset(h, 1, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(&first, other, 4, cudaMemcpyDeviceToHost);
  h[0] = first;
  FREE;
  cudaFree(other);
  return first;
}

// CHECK: define {{.*}} @otherPair(
// CHECK: call i32 @echort_linking_copy({{.*}}, i32 609, ptr null, {{.*}}, i64 1048576)
// CHECK: [[ERROR:%.*]] = call i32 @cudaMemcpy(
// CHECK: call void @echort_copy_ran(i32 609, ptr null, i32 [[ERROR]])
float otherPair() {
  PAIR;
  memset(h, 1, Bytes);
  float *k = (float *)malloc(Bytes), *e;
  cudaMalloc(&e, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(k, e, Bytes, cudaMemcpyDeviceToHost);
  h[0] = k[0];
  float seen = k[0];
  FREE;
  free(k);
  cudaFree(e);
  return seen;
}
}
