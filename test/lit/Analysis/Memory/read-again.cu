// Sizes in global variables and in objects that a function is given, read again
// for each allocation and copy: the same value, unless something in between may
// have written the variable, or let another thread write it.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O2 -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -O2 -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S1 -w --device=cpu -O2 -c %s
#include "../../Inputs/case.h"
#include <iostream>
#include <pthread.h>

struct Config {
  int width, height;
};
int elements, other;
static Config config;
volatile float seen;
pthread_mutex_t lock;
void unknown();
void know(int *);
__attribute__((noinline)) void setElements(int to) { elements = to; }
__attribute__((noinline)) void setOther(int to) { other = to; }

#define READ_AGAIN(SIZE, BETWEEN)                                              \
  float *h = (float *)malloc(SIZE), *d;                                        \
  cudaMalloc(&d, SIZE);                                                        \
  memset(h, 0, SIZE);                                                          \
  cudaMemcpy(d, h, SIZE, cudaMemcpyHostToDevice);                              \
  update<<<1, 256>>>(d);                                                       \
  BETWEEN;                                                                     \
  cudaMemcpy(h, d, SIZE, cudaMemcpyDeviceToHost);                              \
  seen = h[0];                                                                 \
  FREE
#define ELEMENTS (elements * sizeof(float))

// OK: [[#@LINE+3]]:3 h + {{.*}} elements*4 B unified 2 copies removed
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void stored() {
  READ_AGAIN(ELEMENTS, SAFE(other) UNSAFE(elements) = 7);
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void called() {
  READ_AGAIN(ELEMENTS, SAFE(setOther) UNSAFE(setElements)(7));
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void outOfSight() {
  READ_AGAIN(ELEMENTS, SAFE(puts("")) UNSAFE(unknown()));
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void byModel(const char *text) {
  READ_AGAIN(ELEMENTS, sscanf(text, "%d", SAFE(&other) UNSAFE(&elements)));
}

// Another thread may have waited for the lock.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void released() {
  READ_AGAIN(ELEMENTS, SAFE() UNSAFE(pthread_mutex_unlock(&lock);
                                     pthread_mutex_lock(&lock)));
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void fence() {
  READ_AGAIN(ELEMENTS, SAFE() UNSAFE(__atomic_thread_fence(5)));
}

// Who calls this may give it the address of elements.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void throughPointer(int *out) {
  READ_AGAIN(ELEMENTS, SAFE(other) UNSAFE(*out) = 7);
}

// OK: [[#@LINE+3]]:3 h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void copied(const int *device) {
  READ_AGAIN(ELEMENTS, cudaMemcpy(SAFE(&other) UNSAFE(&elements), device, 4,
                                  cudaMemcpyDeviceToHost));
}

// A loop that writes the variable behind the read.
// OK: [[#@LINE+4]]:{{[0-9]+}} h + {{.*}} unified 1 copy removed
// BAD: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} declined S1 host-write-live-device
void loop(int steps) {
  int n = elements;
  float *h = (float *)malloc(n * 4), *d;
  cudaMalloc(&d, n * 4);
  for (int i = 0; i < steps; ++i) {
    memset(h, i, n * 4);
    cudaMemcpy(d, h, elements * 4, cudaMemcpyHostToDevice);
    update<<<1, 256>>>(d);
    cudaDeviceSynchronize();
    SAFE(other) UNSAFE(elements) = i;
  }
  FREE;
}

// Fields: the one beside it, and all of the object.
// OK: [[#@LINE+3]]:3 h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void field(int n) {
  READ_AGAIN(config.width * 4ul, config.SAFE(height) UNSAFE(width) = n);
}

// What the caller gave may be managed memory, which a kernel may write: only
// what is read before the launch is the same.
// OK: [[#@LINE+4]]:{{[0-9]+}} h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} declined S1 device-write-live-host
void given(const Config *c) {
  int n = c->width;
  float *h = (float *)malloc(c->width * 4), *d;
  cudaMalloc(&d, c->width * 4);
  memset(h, 0, c->width * 4);
  cudaMemcpy(d, h, c->width * 4, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, SAFE(n) UNSAFE(c->width) * 4, cudaMemcpyDeviceToHost);
  seen = h[0];
  FREE;
}

// What a stream returns is the stream alone. In the twin a function out of
// sight has the variable's address, and the stream is read again.
// OK: [[#@LINE+5]]:3 h + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+4]]:3 h + {{.*}} declined S1 device-write-live-host
void fromStream(std::istream &in) {
  int n;
  UNSAFE(know(&n);) in >> n;
  READ_AGAIN(n * 4ul, std::cout << "size "; UNSAFE(unknown()));
}

// OK: 12 pairs: 12 unified
// BAD: 12 pairs: 12 declined
