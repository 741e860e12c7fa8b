// Launches by CUDA's own functions, which get an array with the addresses of
// the arguments.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../Inputs/case.h"

__global__ void copyOf(float *out, const float *in, int n) { out[n] = in[n]; }
struct Both {
  float *out, *in;
};
__global__ void ofStruct(Both both) { *both.out = *both.in; }
__global__ void elsewhere(float *out);

// What the kernel writes counts.
// OK: launch-arrays.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: launch-arrays.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S1 device-write-live-host
void writes(float *other, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(void *arguments[] = {&other, &d, &n};)
  UNSAFE(void *arguments[] = {&d, &other, &n};)
  cudaLaunchCooperativeKernel((void *)copyOf, 4, 64, arguments, 0, 0);
  cudaDeviceSynchronize();
  LOOK;
  FREE;
}

// And when it reads.
// OK: launch-arrays.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: launch-arrays.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S2 host-write-in-flight
void reads(float *other, int n, cudaStream_t s, cudaStream_t t) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  void *arguments[] = {&other, &d, &n};
  cudaLaunchKernel((void *)copyOf, 4, 64, arguments, 0, SAFE(s) UNSAFE(t));
  cudaStreamSynchronize(s);
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// A launch that fails joins no stream, so that a wait for that covers nothing
// of others.
// OK: launch-arrays.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: launch-arrays.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S2 host-write-in-flight
void fails(float *other, int *flag, int blocks) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  void *arguments[] = {&other};
  SAFE(cudaMemset(other, 0, 4);)
  UNSAFE(cudaLaunchKernel((void *)writeOnly, blocks, 64, arguments, 0, 0);)
  cudaStreamSynchronize(0);
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// An array whose size only run time knows.
// OK: launch-arrays.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: launch-arrays.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined {{.*}}pointer-escapes
void ofSize(float *other, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(void *arguments[3];)
  UNSAFE(void *arguments[n];)
  arguments[0] = &other;
  arguments[1] = &d;
  arguments[2] = &n;
  cudaLaunchKernel((void *)copyOf, 4, 64, arguments, 0, 0);
  cudaDeviceSynchronize();
  LOOK;
  FREE;
}

// One array for many launches: the variables change places behind it.
static void step(void **arguments) {
  cudaLaunchCooperativeKernel((void *)copyOf, 4, 64, arguments, 0, 0);
}
// OK: launch-arrays.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: launch-arrays.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S1 device-write-live-host
void swaps(int n, int rounds) {
  PAIR;
  float *a = d, *b;
  cudaMalloc(&b, Bytes);
  memset(h, 0, Bytes);
  UP;
  void *arguments[] = {&b, &a, &n};
  for (int i = 0; i < rounds; ++i) {
    step(arguments);
    float *c = a;
    a = b;
    b = c;
  }
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  LOOK;
  free(h);
  cudaFree(a);
  cudaFree(b);
}

// A function out of sight knows the array.
void outOfSight(void **);
// OK: launch-arrays.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: launch-arrays.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined {{.*}}pointer-escapes
void known(float *other, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  void *arguments[] = {&other, &d, &n};
  UNSAFE(outOfSight(arguments);)
  cudaLaunchCooperativeKernel((void *)copyOf, 4, 64, arguments, 0, 0);
  FREE;
}

// An entry that is one of two.
// OK: launch-arrays.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: launch-arrays.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined {{.*}}pointer-escapes
void either(float *other, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  void *arguments[3] = {&other, &d, &n};
  UNSAFE(if (n) arguments[0] = &d;)
  cudaLaunchCooperativeKernel((void *)copyOf, 4, 64, arguments, 0, 0);
  FREE;
}

// The kernel is not known, or out of sight.
// OK: launch-arrays.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: launch-arrays.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined {{.*}}unknown-kernel
void unknown(float *other, int n, void *kernel) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  void *arguments[3] = {&other, &d, &n};
  SAFE(kernel = (void *)copyOf;)
  cudaLaunchCooperativeKernel(kernel, 4, 64, arguments, 0, 0);
  FREE;
}
// OK: launch-arrays.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: launch-arrays.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined {{.*}}unknown-kernel
void unseen() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  void *arguments[] = {&d};
  SAFE(cudaLaunchKernel((void *)update, 4, 64, arguments, 0, 0);)
  UNSAFE(cudaLaunchKernel((void *)elsewhere, 4, 64, arguments, 0, 0);)
  FREE;
}

// A struct that holds the buffer.
// OK: launch-arrays.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: launch-arrays.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined {{.*}}
void inStruct(float *other, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  Both both{other, d};
  SAFE(ofStruct<<<1, 1>>>(both);)
  UNSAFE(void *arguments[] = {&both};)
  UNSAFE(cudaLaunchKernel((void *)ofStruct, 4, 64, arguments, 0, 0);)
  FREE;
}
