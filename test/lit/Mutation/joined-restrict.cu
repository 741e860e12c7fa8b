// The two host buffers of one device buffer are said to differ: without the rule
// all three share a block.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// RUN: %{opt} | FileCheck %s --check-prefix=TWO
// RUN: %{opt} -echo-without=joined-restrict | FileCheck %s --check-prefix=THREE
// TWO-COUNT-2: call {{.*}}ptr @echort_acquire(ptr @
// TWO-NOT: call {{.*}}ptr @echort_acquire(ptr @
// TWO: {{^}}}
// THREE-COUNT-3: call {{.*}}ptr @echort_acquire(ptr @
#include "../Inputs/case.h"

static void init(float *__restrict out, float *__restrict in) {
  memset(out, 0, Bytes);
  memset(in, 1, Bytes);
}

float joinedRestrict() {
  PAIR;
  float *out = (float *)malloc(Bytes);
  init(out, h);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(out, d, Bytes, cudaMemcpyDeviceToHost);
  float seen = out[0];
  FREE;
  free(out);
  return seen;
}
