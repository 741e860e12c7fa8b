// Buffers that share a partner: at most one pairing of a buffer merges, the one
// that is copied most, and the other copies stay as they are.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S1 -w --device=cpu -c %s
#include "../../Inputs/case.h"

// One h for two d. The pair in the loop wins.
// OK: [[#@LINE+5]]:{{[0-9]+}} h + {{.*}}:[[#@LINE+6]]:3 d {{.*}} unified 1 copy removed ([[#@LINE+11]]:5 H2D)
// OK-NOT: declined
// BAD: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}}:[[#@LINE+4]]:3 d {{.*}} unified 1 copy removed ([[#@LINE+9]]:5 H2D)
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}}:[[#@LINE+4]]:3 other {{.*}} declined rival rival
void twoDevice(int *flag, int n) {
  float *h = (float *)malloc(Bytes), *d, *other;
  cudaMalloc(&d, Bytes);
  cudaMalloc(&other, Bytes);
  memset(h, 0, Bytes);
  UNSAFE(cudaMemcpy(other, h, Bytes, cudaMemcpyHostToDevice);)
  for (int i = 0; i < n; ++i) {
    UP;
    readOnly<<<1, 1>>>(d, flag);
    readOnly<<<1, 1>>>(other, flag);
  }
  FREE;
  cudaFree(other);
}

// Two h for one d: input and output of the same kernel. Alone either is safe;
// together the next input would overwrite the output.
// OK: [[#@LINE+5]]:{{[0-9]+}} h + {{.*}}:[[#@LINE+6]]:3 d {{.*}} unified
// OK-NOT: declined
// BAD: h + {{.*}}:[[#@LINE+4]]:3 d {{.*}} unified 1 copy removed ([[#@LINE+7]]:3 H2D)
// BAD: [[#@LINE+4]]:{{[0-9]+}} out + {{.*}}:[[#@LINE+3]]:3 d {{.*}} declined rival rival
void twoHost() {
  float *h = (float *)malloc(Bytes), *d;
  cudaMalloc(&d, Bytes);
  float *out = (float *)malloc(Bytes);
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  UNSAFE(cudaMemcpy(out, d, Bytes, cudaMemcpyDeviceToHost);)
  cudaDeviceSynchronize();
  UNSAFE(memset(h, 1, Bytes);)
  printf("%f\n", out[0]);
  FREE;
  free(out);
}

// The heavier pairing is not safe: the lighter one may merge in its place.
// OK: h + {{.*}}:[[#@LINE+5]]:3 d {{.*}} unified 2 copies removed
// OK: out + {{.*}}:[[#@LINE+4]]:3 d {{.*}} unified 1 copy removed
// BAD: h + {{.*}}:[[#@LINE+3]]:3 d {{.*}} declined S1 device-write-live-host
// BAD: out + {{.*}}:[[#@LINE+2]]:3 d {{.*}} unified 1 copy removed ([[#@LINE+8]]:3 D2H)
float notTheHeavier() {
  PAIR;
  float *out = (float *)malloc(Bytes);
  memset(h, 0, Bytes);
  UP;
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(out, d, Bytes, cudaMemcpyDeviceToHost);
  float seen = out[0] UNSAFE(+h[0]);
  FREE;
  free(out);
  return seen;
}

// Pairs that share nothing merge side by side.
// OK-DAG: h + {{.*}}:[[#@LINE+5]]:3 d {{.*}} unified
// OK-DAG: out + {{.*}}:[[#@LINE+6]]:3 result {{.*}} unified
// BAD-DAG: h + {{.*}}:[[#@LINE+3]]:3 d {{.*}} unified
// BAD-DAG: out + {{.*}}:[[#@LINE+4]]:3 result {{.*}} declined S1
float disjoint(int *flag) {
  PAIR;
  float *out = (float *)malloc(Bytes), *result;
  cudaMalloc(&result, Bytes);
  memset(h, 0, Bytes);
  UP;
  UNSAFE(memset(out, 0, Bytes);)
  writeOnly<<<1, 256>>>(result);
  readOnly<<<1, 1>>>(d, flag);
  UNSAFE(flag[0] = out[Count - 1];)
  cudaMemcpy(out, result, Bytes, cudaMemcpyDeviceToHost);
  float seen = out[0];
  FREE;
  free(out);
  cudaFree(result);
  return seen;
}

// One h for two d: the larger copy wins.
// OK: [[#@LINE+3]]:3 h + {{.*}}:[[#@LINE+3]]:3 d {{.*}} unified 1 copy removed ([[#@LINE+8]]:3 H2D)
// OK: [[#@LINE+2]]:3 h + {{.*}}:[[#@LINE+5]]:3 other {{.*}} declined rival rival
void larger(int *flag) {
  PAIR;
  float *other;
  memset(h, 0, Bytes);
  cudaMalloc(&other, Bytes / 2);
  cudaMemcpy(other, h, Bytes / 2, cudaMemcpyHostToDevice);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  readOnly<<<1, 1>>>(other, flag);
  FREE;
  cudaFree(other);
}

// Host buffers that take turns with one device buffer; not if one is pinned.
// OK: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}}:[[#@LINE+6]]:3 d {{.*}} unified
// OK: [[#@LINE+10]]:{{[0-9]+}} next + {{.*}}:[[#@LINE+5]]:3 d {{.*}} unified
// BAD: h + {{.*}}:[[#@LINE+4]]:3 d {{.*}} unified
// BAD: [[#@LINE+9]]:{{[0-9]+}} next + {{.*}}:[[#@LINE+3]]:3 d {{.*}} declined rival rival
void hostsTakeTurns() {
  float *d;
  cudaMalloc(&d, Bytes);
  float *h = (float *)malloc(Bytes);
  memset(h, 0, Bytes);
  UP;
  free(h);
  SAFE(float *next = (float *)malloc(Bytes);)
  UNSAFE(float *next; cudaMallocHost(&next, Bytes);)
  cudaMemcpy(next, d, Bytes, cudaMemcpyDeviceToHost);
  printf("%g", next[0]);
  SAFE(free(next);)
  UNSAFE(cudaFreeHost(next);)
  cudaFree(d);
}
