// An allocation through an out parameter that fails leaves the variable alone:
// it may still hold an earlier buffer.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../Inputs/case.h"

// The old buffer goes on where there is no larger one.
// OK: failing-allocations.cu:[[#@LINE+3]]:3 h + {{.*}}:[[#@LINE+3]]:3 d {{.*}} unified
// BAD: failing-allocations.cu:[[#@LINE+2]]:3 h + {{.*}}:[[#@LINE+2]]:3 d {{.*}} declined coverage ambiguous-pointer
void larger(size_t room) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  float *old = d;
  if (cudaMalloc(&d, room) == cudaSuccess) {
    cudaFree(old);
    update<<<1, 256>>>(d);
    cudaFree(d);
  } else {
    SAFE(update<<<1, 256>>>(old); cudaMemcpy(h, old, Bytes, cudaMemcpyDeviceToHost);)
    UNSAFE(update<<<1, 256>>>(d); DOWN;)
    cudaFree(old);
  }
  fwrite(h, 1, 4, stdout);
  free(h);
}

// The same of a host buffer.
// OK: failing-allocations.cu:[[#@LINE+4]]:{{.*}} h + {{.*}} unified
// BAD: failing-allocations.cu:[[#@LINE+3]]:{{.*}} h + {{.*}} declined coverage ambiguous-pointer
void largerHost(size_t room) {
  float *h, *d;
  if (posix_memalign((void **)&h, 64, Bytes))
    return;
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  float *old = h;
  int status = posix_memalign((void **)&h, 64, room);
  SAFE(if (status) exit(1);)
  h[0] = 1;
  update<<<1, 256>>>(d);
  cudaFree(d);
  free(old);
  SAFE(free(h);)
}

// Nobody looks at the status: the old buffer is gone, or it is not.
// OK: failing-allocations.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: failing-allocations.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
void unchecked(size_t room) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  float *old = d;
  SAFE(cudaFree(old);)
  cudaMalloc(&d, room);
  update<<<1, 256>>>(d);
  cudaFree(d);
  UNSAFE(cudaFree(old);)
  fwrite(h, 1, 4, stdout);
  free(h);
}

// Memory that is no buffer of a pair fails, too.
// OK: failing-allocations.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: failing-allocations.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
void managed(size_t room) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  float *old = d;
  cudaError_t status = cudaMallocManaged(&d, room);
  SAFE(if (status) exit(1);)
  update<<<1, 256>>>(d);
  cudaFree(d);
  SAFE(cudaFree(old);)
  free(h);
}

// In each iteration of a loop.
// OK: failing-allocations.cu:[[#@LINE+5]]:{{.*}} h + {{.*}} unified
// BAD: failing-allocations.cu:[[#@LINE+4]]:{{.*}} h + {{.*}} declined coverage ambiguous-pointer
void rounds(int n) {
  float *d = nullptr;
  for (int i = 0; i < n; ++i) {
    float *h = (float *)malloc(Bytes);
    cudaMalloc(&d, Bytes);
    memset(h, i, Bytes);
    UP;
    update<<<1, 256>>>(d);
    DOWN;
    fwrite(h, 1, 4, stdout);
    SAFE(cudaFree(d);)
    free(h);
  }
}

// Freed if there is one.
// OK: failing-allocations.cu:[[#@LINE+8]]:{{.*}} h + {{.*}} unified
// BAD: failing-allocations.cu:[[#@LINE+7]]:{{.*}} h + {{.*}} declined coverage ambiguous-pointer
void freedIfThere(bool early, int n) {
  float *d = nullptr;
  if (early) {
    cudaMalloc(&d, Bytes);
    update<<<1, 256>>>(d);
  }
  float *h = (float *)malloc(Bytes);
  if (SAFE(d) UNSAFE(n))
    cudaFree(d);
  cudaMalloc(&d, Bytes);
  memset(h, n, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  fwrite(h, 1, 4, stdout);
  FREE;
}
// OK: 6 pairs: 6 unified
