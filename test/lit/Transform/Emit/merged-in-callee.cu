// A pair that lies in a callee as a whole, which merges it by itself: the caller
// does not inline it for that. Where the caller needs a call in it for a pair of
// its own, it inlines the callee and merges both.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -mllvm -echo-share-calls=false -S -emit-llvm %s -o %t.ok.ll --report %t.ok
// RUN: FileCheck --input-file=%t.ok.ll --check-prefix=OK %s
// RUN: FileCheck --input-file=%t.ok --check-prefix=REPORT-OK %s
// RUN: %echo_cc -w --device=cpu -mllvm -echo-share-calls=false -S -emit-llvm %s -o %t.bad.ll --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad.ll --check-prefix=BAD %s
// RUN: FileCheck --input-file=%t.bad --check-prefix=REPORT-BAD %s
#include "../../Inputs/case.h"

extern float table[Count];

// A caller may know more of what it is given.
void work(const float *given) {
  PAIR;
  float *d2;
  cudaMalloc(&d2, Bytes);
  cudaMemcpy(d2, given, Bytes, cudaMemcpyHostToDevice);
  memset(h, 1, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  LOOK;
  cudaFree(d2);
  FREE;
}

// OK-LABEL: define {{.*}} @_Z4workPKf(
// OK: call {{.*}} @echort_
// OK-LABEL: define {{.*}} @main(
// OK-NOT: @echort_
// OK: call void @_Z4workPKf(
// OK-NOT: @echort_
// OK: call void @_Z4workPKf(
// OK-NOT: @echort_
// OK: ret i32
// REPORT-OK: :17:3 h + {{.*}}:17:3 d {{.*}} unified
// REPORT-OK: 1 pair: 1 unified
// BAD-LABEL: define {{.*}} @main(
// BAD: call {{.*}} @echort_
// BAD-NOT: call void @_Z4workPKf(
// BAD: ret i32
// REPORT-BAD: own + {{.*}} d {{.*}} unified
// REPORT-BAD: 2 pairs: 2 unified
int main() {
  SAFE(work(table); work(table + 1);)
  UNSAFE(float *own = (float *)malloc(Bytes); memset(own, 2, Bytes); work(own);
         free(own);)
}
