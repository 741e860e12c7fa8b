// The same rule with --default-stream per-thread.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --default-stream=per-thread --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-per-thread -echo-unify -passes='default<O0>,verify' -S %t.ll
// DEFINE: %{merges} = FileCheck --check-prefix=MERGES %s -DNAME
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_
// CHECK: define
// RUN: %{opt} -echo-without=per-thread-stream | %{merges}=ownDefault
// MERGES: define {{.*}} @[[NAME]](
// MERGES-NOT: {{^}}}
// MERGES: call ptr @echort_acquire(
#include "../Inputs/case.h"

extern "C" void ownDefault(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaStreamSynchronize(cudaStreamLegacy);
  h[0] = 1;
  UP;
  FREE;
}
