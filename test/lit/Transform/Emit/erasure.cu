// What reads for a view may not work on code that is emitted: the erasure check
// ends the compilation. It is silent where the view is left behind.
// REQUIRES: cuda-toolkit
// DEFINE: %{host} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/../../Mutation/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll -o %t.out.ll
// RUN: %echo_cc -w --cuda-host-only --no-unify -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %{host} -echo-check-erasure
// RUN: FileCheck %s --input-file=%t.out.ll
// RUN: not %{host} -echo-check-erasure -echo-leak-view=body 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not %{host} -echo-check-erasure -echo-leak-view=early 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: env ECHO_CHECK_ERASURE=0 %{host} -echo-leak-view=body
// CHECK: define {{.*}} @_Z7readTwov(
// CHECK: call {{.*}}ptr @echort_acquire(
// BODY: echo: the emitted function '_Z7readTwov' is not clang's code plus calls of echort
// BODY: emitted:
// BODY: clang's:
// EARLY: echo: the function '_Z7readTwov' was changed while its pairs were decided
#include "../../Inputs/case.h"

int size = Count;

float readTwo() {
  PAIR;
  int first = size;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  float seen = h[size - first];
  cudaFree(d);
  free(h);
  return seen;
}
