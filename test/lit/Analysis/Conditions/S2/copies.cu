// S2: asynchronous copies, of the pair and of others, and what they meet.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S2 -w --device=cpu -c %s
#include "../../../Inputs/case.h"
#define PINNED                                                                 \
  float *h, *d;                                                                \
  cudaMallocHost(&h, Bytes);                                                   \
  cudaMalloc(&d, Bytes)
#define FREE_PINNED                                                            \
  cudaFreeHost(h);                                                             \
  cudaFree(d)

// OK: copies.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: copies.cu:[[#@LINE+4]]:3 h + {{.*}} declined S2 host-read-in-flight
// BAD-NEXT: [[#@LINE+7]]:16 host reads h
// BAD-NEXT: [[#@LINE+3]]:3 kernel 'writeOnly' may still be writing d
float pinnedDownload(cudaStream_t s) {
  PINNED;
  writeOnly<<<1, 256, 0, s>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s);
  SAFE(cudaStreamSynchronize(s);)
  float seen = h[0];
  FREE_PINNED;
  return seen;
}

// The copies are in two streams that nothing orders; merged, the upload of the
// next round is gone and the kernel could run with the host's writes.
// OK: copies.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: copies.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void pinnedUpload(int *flag, cudaStream_t s, cudaStream_t t) {
  PINNED;
  memset(h, 0, Bytes);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s);
  readOnly<<<1, 1, 0, s>>>(d, flag);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(t);)
  h[0] = 1;
  FREE_PINNED;
}

// Another copy reads h in stream t while the kernel writes d in stream s.
// OK: copies.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: copies.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 copy-in-flight
void otherCopy(float *elsewhere, cudaStream_t s, cudaStream_t t) {
  PINNED;
  memset(h, 0, Bytes);
  SAFE(cudaMemcpyAsync(elsewhere, h, Bytes, cudaMemcpyHostToDevice, s);)
  UNSAFE(cudaMemcpyAsync(elsewhere, h, Bytes, cudaMemcpyHostToDevice, t);)
  writeOnly<<<1, 256, 0, s>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s);
  cudaDeviceSynchronize();
  FREE_PINNED;
}

// OK: 3 pairs: 3 unified
// BAD: 3 pairs: 3 declined
