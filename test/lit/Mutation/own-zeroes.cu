// The zeroes of calloc that a download overwrites are left out where the buffer joins its partner's block. Elsewhere the
// download may fail, so a block of its own has them.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s -DZEROES=2
// RUN: %{opt} -echo-without=zeroes-of-own-block | FileCheck %s -DZEROES=0
#include "../Inputs/case.h"

// CHECK: define {{.*}} @_Z4latev(
// CHECK: call ptr @echort_acquire({{.*}}, i32 0, i64 {{.*}}, ptr {{.*}}, i32 [[ZEROES]])
float late() {
  float *d;
  cudaMalloc(&d, Bytes);
  cudaMemset(d, 1, Bytes);
  cudaDeviceSynchronize();
  float *h = (float *)calloc(Count, sizeof(float));
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  float last = h[0];
  cudaFree(d);
  free(h);
  return last;
}
