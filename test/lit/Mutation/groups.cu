// Two pairs that share a buffer: without the rule both merge.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s --check-prefix=ONE --implicit-check-not=@echo.group
// RUN: %{opt} -echo-without=rival | FileCheck %s --check-prefix=TWO
// RUN: %{opt} -echo-without=shared-device | FileCheck %s --check-prefix=SHARED --implicit-check-not=@echo.group
// SHARED: @echo.group = internal global
// SHARED-COUNT-3: call {{.*}}ptr @echort_acquire(ptr @echo.group,
// SHARED: @echort_linking_copy(ptr @echo.group,
// SHARED: @echort_copy_ran(
// SHARED: @echort_linking_copy(ptr @echo.group,
// SHARED: @echort_copy_ran(
// ONE: @echo.group = internal global
// ONE: @echort_acquire(ptr @echo.group,
// ONE: @echort_acquire(ptr @echo.group,
// ONE: @echort_linking_copy(ptr @echo.group,
// ONE: @echort_copy_ran(
// TWO: @echo.group = internal global
// TWO: @echo.group.{{[0-9]+}} = internal global
#include "../Inputs/case.h"

float shared() {
  PAIR;
  float *out = (float *)malloc(Bytes);
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(out, d, Bytes, cudaMemcpyDeviceToHost);
  memset(h, 1, Bytes);
  float seen = out[0];
  FREE;
  free(out);
  return seen;
}
