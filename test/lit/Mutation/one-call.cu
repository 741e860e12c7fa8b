// One call reads a host buffer and writes another one of the same device buffer:
// without the rule all three share a block.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s --check-prefix=TWO
// RUN: %{opt} -echo-without=call-is-one-event | FileCheck %s --check-prefix=THREE
// TWO-COUNT-2: call {{.*}}ptr @echort_acquire(ptr @
// TWO-NOT: call {{.*}}ptr @echort_acquire(ptr @
// TWO: {{^}}}
// THREE-COUNT-3: call {{.*}}ptr @echort_acquire(ptr @
#include "../Inputs/case.h"

static void reverse(const float *from, float *to, int depth) {
  if (depth)
    return reverse(from, to, depth - 1);
  for (int i = 0; i < Count; ++i)
    to[i] = from[Count - 1 - i];
}

float oneCall() {
  PAIR;
  float *other = (float *)malloc(Bytes);
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  reverse(h, other, 3);
  cudaMemcpy(d, other, Bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToHost);
  float seen = other[0];
  FREE;
  free(other);
  return seen;
}
