// Where GPU work may wait for the host, nothing may wait where the program does
// not: neither what a copy leaves, nor a copy or set of other memory.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition added-waits -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// All that makes the difference: a host function in some stream.
void queue(cudaStream_t s, cudaHostFn_t f) {
  UNSAFE(cudaLaunchHostFunc(s, f, nullptr);)
}

// A set of device memory does not wait; one of pinned or managed memory does.
// OK: host-work.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: host-work.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{.*}} host-concurrency
void set() {
  PAIR;
  cudaMemset(d, 0, Bytes);
  update<<<1, 1>>>(d);
  DOWN;
  LOOK;
  FREE;
}

// A set that is asynchronous waits for no memory.
// OK: host-work.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: host-work.cu:[[#@LINE+2]]:3 h + {{.*}} unified
void setLater(cudaStream_t s) {
  PAIR;
  cudaMemsetAsync(d, 0, Bytes, s);
  update<<<1, 1, 0, s>>>(d);
  cudaStreamSynchronize(s);
  DOWN;
  LOOK;
  FREE;
}

// An upload of pageable memory may return at once.
// OK: host-work.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: host-work.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{.*}} host-concurrency
void upload() {
  PAIR;
  memset(h, 0, Bytes);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice);
  update<<<1, 1>>>(d);
  DOWN;
  LOOK;
  FREE;
}

// A download to it does not.
// OK: host-work.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: host-work.cu:[[#@LINE+2]]:3 h + {{.*}} unified
void download() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 1>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  LOOK;
  FREE;
}

// A download that stays, to a pinned buffer, which then is none.
// OK: host-work.cu:[[#@LINE+4]]:3 h + {{.*}} d {{.*}} unified
// BAD: host-work.cu:[[#@LINE+3]]:3 h + {{.*}} d {{.*}} declined {{.*}} host-concurrency
void stays(cudaStream_t s) {
  float *h, *d, *other;
  cudaMallocHost(&h, Bytes);
  cudaMalloc(&d, Bytes);
  cudaMalloc(&other, Bytes);
  writeOnly<<<1, 1, 0, s>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  LOOK;
  cudaFree(d);
  writeOnly<<<1, 1, 0, s>>>(other);
  cudaMemcpyAsync(h, other, Bytes / 2, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  LOOK;
  cudaFreeHost(h);
  cudaFree(other);
}

// A copy on the device, which is none where one side is pinned.
// OK: host-work.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: host-work.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{.*}} host-concurrency
void onDevice() {
  PAIR;
  float *other;
  cudaMalloc(&other, Bytes);
  memset(h, 0, Bytes);
  UP;
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToDevice);
  update<<<1, 1>>>(d);
  DOWN;
  LOOK;
  cudaFree(other);
  FREE;
}

// Synchronous copies wait either way.
// OK: host-work.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: host-work.cu:[[#@LINE+2]]:3 h + {{.*}} unified
void waits() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 1>>>(d);
  DOWN;
  LOOK;
  FREE;
}
