// A function of the library may write variables of the program that no argument
// shows; what such a variable said before is not what it says now.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <cerrno>
#include <cmath>
#include <ctime>
#include <unistd.h>

// OK: globals.cu:[[#@LINE+3]]:23 h + {{.*}} unified
// BAD: globals.cu:[[#@LINE+2]]:23 h + {{.*}} guarded
void timeZone() {
  float *h = (float *)malloc(timezone), *d;
  SAFE(clock();)
  UNSAFE(tzset();)
  const size_t bytes = timezone;
  cudaMalloc(&d, bytes);
  memset(h, 0, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  FREE;
}

// OK: globals.cu:[[#@LINE+3]]:23 h + {{.*}} unified
// BAD: globals.cu:[[#@LINE+2]]:23 h + {{.*}} guarded
double sign(double x) {
  float *h = (float *)malloc(signgam * 4096ul), *d;
  SAFE(double y = tgamma(x);)
  UNSAFE(double y = lgamma(x);)
  const size_t bytes = signgam * 4096ul;
  cudaMalloc(&d, bytes);
  memset(h, 0, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  FREE;
  return y;
}

// OK: globals.cu:[[#@LINE+3]]:23 h + {{.*}} unified
// BAD: globals.cu:[[#@LINE+2]]:23 h + {{.*}} guarded
void option(int argc, char **argv) {
  float *h = (float *)malloc(optind * 4096ul), *d;
  SAFE(getenv(argv[0]);)
  UNSAFE(getopt(argc, argv, "a");)
  const size_t bytes = optind * 4096ul;
  cudaMalloc(&d, bytes);
  memset(h, 0, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  FREE;
}

// The number may be errno, of which another unit has the address.
// OK: globals.cu:[[#@LINE+3]]:23 h + {{.*}} unified
// BAD: globals.cu:[[#@LINE+2]]:23 h + {{.*}} guarded
void number(const int *n, const char *text) {
  float *h = (float *)malloc(*n * 4096ul), *d;
  SAFE(abs(text[0]);)
  UNSAFE(puts(text);)
  const size_t bytes = *n * 4096ul;
  cudaMalloc(&d, bytes);
  memset(h, 0, bytes);
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  FREE;
}
