// A loop that allocates and has one iteration is none: what is allocated there
// can be used after it. With more of them the last one's buffer is another.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.one -DROUNDS=1
// RUN: FileCheck --input-file=%t.one --check-prefix=ONE %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.some -DROUNDS=n
// RUN: FileCheck --input-file=%t.some --check-prefix=SOME %s
#include "../../Inputs/case.h"

// ONE: one-round.cu:[[#@LINE+4]]:16 h + {{.*}}one-round.cu:[[#@LINE+8]]:5 d {{.*}} unified
// SOME: one-round.cu:[[#@LINE+3]]:16 h + {{.*}}one-round.cu:[[#@LINE+7]]:5 d {{.*}} declined
int main(int n, char **) {
  float *h, *last = nullptr;
  h = (float *)malloc(Bytes);
  memset(h, 0, Bytes);
  for (int i = 0; i < ROUNDS; ++i) {
    float *d;
    cudaMalloc(&d, Bytes);
    writeOnly<<<1, 1>>>(d);
    last = d;
  }
  cudaMemcpy(h, last, Bytes, cudaMemcpyDeviceToHost);
  LOOK;
  free(h);
  cudaFree(last);
  return 0;
}
