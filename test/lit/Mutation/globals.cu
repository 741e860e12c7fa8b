// A function that stays a call reads the host buffer through a global. Without
// the rule the global is a variable of main, and the pair merges.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_
// CHECK: define {{.*}} @main(
// RUN: %{opt} -echo-without=global-elsewhere | FileCheck %s --check-prefix=MERGES
// MERGES: define {{.*}} @main(
// MERGES: call ptr @echort_acquire(
#include "../Inputs/case.h"

static float *h, *d;
static void show(int n) {
  puts(reinterpret_cast<char *>(h));
  if (n)
    show(n - 1);
}

int main() {
  h = static_cast<float *>(malloc(Bytes));
  cudaMalloc(&d, Bytes);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  show(1);
  cudaFree(d);
  free(h);
}
