// realloc ends one host buffer and makes another with what the first one held.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S4 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// It reads the old buffer.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S1 device-write-live-host
// BAD-NEXT: [[#@LINE+5]]:3 kernel 'update' writes d
float *before() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 1>>>(d);
  SAFE(DOWN;)
  float *larger = (float *)realloc(h, 2 * Bytes);
  cudaFree(d);
  return larger;
}

// It fills the new one.
// OK: [[#@LINE+8]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}} declined S1 host-write-live-device
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} host ('realloc') writes h
void made(float *smaller) {
  float *d;
  cudaMalloc(&d, Bytes);
  update<<<1, 1>>>(d);
  cudaDeviceSynchronize();
  float *h = (float *)realloc(smaller, Bytes);
  SAFE(UP;)
  DOWN;
  cudaFree(d);
  free(h);
}

// It writes when it runs.
// OK: [[#@LINE+9]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+8]]:{{[0-9]+}} h + {{.*}} declined S2 host-write-in-flight
// BAD-NEXT: [[#@LINE+7]]:23 host ('realloc') writes h
// BAD-NEXT: [[#@LINE+4]]:3 kernel 'readOnly'
void madeInFlight(float *smaller, int *flag) {
  float *d;
  cudaMalloc(&d, Bytes);
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  float *h = (float *)realloc(smaller, Bytes);
  UP;
  cudaFree(d);
  free(h);
}

// Each round has a buffer of its own, if each round resizes it.
// OK: [[#@LINE+6]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+6]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: [[#@LINE+5]]:{{[0-9]+}} the pointer is used in a later iteration
void rounds(int n) {
  float *h = nullptr;
  for (int i = 1; i < n; ++i) {
    SAFE(h = (float *)realloc(h, i * Bytes);)
    UNSAFE(if (i & 1) h = (float *)realloc(h, i * Bytes);)
    float *d;
    cudaMalloc(&d, i * Bytes);
    cudaMemcpy(d, h, i * Bytes, cudaMemcpyHostToDevice);
    cudaFree(d);
  }
  free(h);
}

// The GPU may be at work with the buffer of the round before until then.
// OK: [[#@LINE+6]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} the pointer is used in a later iteration
void deviceFirst(int n) {
  float *h = nullptr, *d;
  for (int i = 1; i < n; ++i) {
    SAFE(h = (float *)realloc(h, i * Bytes);)
    cudaMalloc(&d, i * Bytes);
    UNSAFE(h = (float *)realloc(h, i * Bytes);)
    cudaMemcpy(d, h, i * Bytes, cudaMemcpyHostToDevice);
    cudaFree(d);
  }
  free(h);
}

// The round before had another size.
// OK: [[#@LINE+7]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+6]]:{{[0-9]+}} h + {{.*}} declined S4 instance-mismatch
// BAD-NEXT: [[#@LINE+5]]:{{[0-9]+}} the pointer is used in a later iteration
void written(int n) {
  float *h = nullptr, *d;
  for (int i = 1; i < n; ++i) {
    UNSAFE(if (h) h[0] = 1;)
    h = (float *)realloc(h, i * Bytes);
    cudaMalloc(&d, i * Bytes);
    cudaMemcpy(d, h, i * Bytes, cudaMemcpyHostToDevice);
    cudaFree(d);
  }
  free(h);
}

// Nobody knows what it gets.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S4 reallocated
// BAD-NEXT: [[#@LINE+7]]:{{[0-9]+}} realloc
float *oneOf(float *other, bool which) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaFree(d);
  SAFE(which = true; other = nullptr;)
  return (float *)realloc(which ? h : other, 2 * Bytes);
}

// The new buffer is there when the device is reset.
// OK: [[#@LINE+4]]:{{[0-9]+}} h + {{.*}} unified
// BAD: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} declined S4 device-reset
// BAD-NEXT: [[#@LINE+7]]:{{[0-9]+}} cudaDeviceReset
void reset(float *smaller) {
  float *h = (float *)realloc(smaller, Bytes), *d;
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  SAFE(FREE;)
  cudaDeviceReset();
  UNSAFE(free(h);)
}

// It may fail, and then the old buffer is there when the device is reset.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S4 device-reset
// BAD-NEXT: [[#@LINE+9]]:{{[0-9]+}} cudaDeviceReset
void keepsOld(size_t room) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaFree(d);
  float *larger = (float *)realloc(h, room);
  SAFE(if (!larger) return;)
  UNSAFE(if (!larger) larger = h;)
  cudaDeviceReset();
  free(larger);
}

// The same, where only what succeeds goes on.
// OK: [[#@LINE+5]]:3 h + {{.*}} unified
// BAD: [[#@LINE+4]]:3 h + {{.*}} declined S4 device-reset
// BAD-NEXT: [[#@LINE+10]]:{{[0-9]+}} cudaDeviceReset
extern "C" void *reallocarray(void *, size_t, size_t) noexcept;
void keepsOldAsLong(size_t n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaFree(d);
  float *larger = (float *)reallocarray(h, n, sizeof(float));
  if (!larger) {
    SAFE(free(h);)
    cudaDeviceReset();
    UNSAFE(h[0] = 1; free(h);)
    return;
  }
  free(larger);
}

// Nobody uses what a call may have left.
// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S4 device-reset
// BAD-NEXT: [[#@LINE+8]]:{{[0-9]+}} cudaDeviceReset
void leavesOld(size_t room) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaFree(d);
  float *larger = (float *)realloc(h, room);
  SAFE(larger[0] = 1;)
  cudaDeviceReset();
  UNSAFE(if (!larger) h[1] = 2;)
  free(larger);
}

// OK: 11 pairs: 11 unified
// BAD: 11 pairs: 11 declined
