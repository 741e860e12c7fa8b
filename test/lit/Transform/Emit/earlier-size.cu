// A download that surely moves all that it says is a wait, and echort adds none
// (kept_copy). One past the end of a device buffer fails: a buffer of
// an earlier round may be smaller than what this round copies.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -mllvm -echo-share-calls=false -O0 -S -emit-llvm --min-bytes=1 %s -o - | FileCheck %s --check-prefix=OK
// RUN: %echo_cc -w --device=cpu -mllvm -echo-share-calls=false -O0 -S -emit-llvm --min-bytes=1 %s -o - -DBLOCKED | FileCheck %s --check-prefix=BAD
#include "../../Inputs/case.h"

int next(int round);

// OK-LABEL: define {{.*}}waits
// OK: call void @echort_copy_ran(
// OK-NOT: call i32 @echort_kept_copy(
// OK: ret void
// BAD-LABEL: define {{.*}}waits
// BAD: call void @echort_copy_ran(
// BAD: call i32 @echort_kept_copy(
void waits(int *flag) {
  static float seen[1 << 20];
  float *x;
  for (int round = 0; round < 9; ++round) {
    int n = next(round);
    UNSAFE(if (round == 0)) cudaMalloc(&x, n * sizeof(float));
    float *d, *h = (float *)malloc(n * sizeof(float));
    h[0] = 1;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    readOnly<<<1, 1>>>(d, flag);
    cudaMemcpy(seen, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    h[0] = 5;
    cudaFree(d);
    free(h);
  }
}
