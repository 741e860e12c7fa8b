// A kernel that runs already, and waits for the address that comes to the
// device.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../Inputs/case.h"

__device__ float *table;
__global__ void early(float *out) {
  float *found;
  do
    found = *(float *SAFE() UNSAFE(volatile) *)&table;
  while (!found);
  out[0] = found[0];
}

// OK: exposed-early.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: exposed-early.cu:[[#@LINE+4]]:3 h + {{.*}} declined {{.*}}pointer-escapes
int main() {
  float *out;
  cudaMalloc(&out, 4);
  PAIR;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  early<<<1, 1, 0, s>>>(out);
  memset(h, 0, Bytes);
  UP;
  float *view[1] = {d};
  cudaMemcpyToSymbol(table, view, sizeof(view));
  cudaDeviceSynchronize();
  FREE;
  cudaFree(out);
}
