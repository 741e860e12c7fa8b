// A copy that moves nothing waits for nothing. What an earlier round found of a
// size says nothing of this round's copies.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --min-bytes=1 --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --min-bytes=1 --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S2 -w --device=cpu -c --min-bytes=1 %s
#include "../../../Inputs/case.h"

int next(int round);

// Where there is no other buffer, nothing is copied: so says the same round's
// size, but not an earlier one's.
// OK: [[#@LINE+13]]:{{[0-9]+}} h + {{.*}} d {{.*}} unified
// BAD: [[#@LINE+12]]:{{[0-9]+}} h + {{.*}} d {{.*}} declined S2 host-write-in-flight
void null(float *out, int *flag) {
  float *other = (float *)malloc(400);
  for (int round = 0; round < 9; ++round) {
    int n = next(round);
    UNSAFE(if (round == 0)) {
      free(other);
      if (n != 0)
        other = (float *)malloc(n * sizeof(float));
      else
        other = nullptr;
    }
    float *x, *d, *h = (float *)malloc(n * sizeof(float));
    cudaMalloc(&x, n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    h[0] = 1;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    readOnly<<<1, 1>>>(d, flag);
    cudaMemcpy(other, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    h[0] = 5;
    cudaFree(d);
    cudaFree(x);
    free(h);
  }
  free(other);
}
