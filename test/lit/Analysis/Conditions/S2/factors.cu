// A copy whose size is made of factors of the pair's size moves bytes, and so
// waits: a merged pair has bytes.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S2 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

/// What follows the upload of n * m * k floats; the download of another buffer
/// is the only wait before the host writes again.
#define BODY(OTHER)                                                            \
  size_t bytes = (size_t)n * m * k * sizeof(float);                            \
  float *h = (float *)malloc(bytes), *d, *other;                               \
  char *out = (char *)malloc(OTHER);                                           \
  cudaMalloc(&d, bytes);                                                       \
  cudaMalloc(&other, OTHER);                                                   \
  memset(h, 0, bytes);                                                         \
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);                             \
  readOnly<<<1, 1>>>(d, flag);                                                 \
  cudaMemcpy(out, other, OTHER, cudaMemcpyDeviceToHost);                       \
  h[0] = out[0];                                                               \
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);                             \
  free(h);                                                                     \
  cudaFree(d);

// OK: factors.cu:[[#@LINE+3]]:{{.*}} h + {{.*}} unified
// BAD: factors.cu:[[#@LINE+3]]:{{.*}} h + {{.*}} declined S2 host-write-in-flight
void someFactors(int *flag, size_t n, size_t m, size_t k, size_t j) {
  SAFE(BODY(m * n * sizeof(double)))
  UNSAFE(BODY(m * j * sizeof(double)))
}

// OK: factors.cu:[[#@LINE+3]]:{{.*}} h + {{.*}} unified
// BAD: factors.cu:[[#@LINE+3]]:{{.*}} h + {{.*}} declined S2 host-write-in-flight
void allFactors(int *flag, int n, int m, int k) {
  SAFE(BODY((size_t)n * m * k * sizeof(double)))
  UNSAFE(BODY((size_t)n * m * k * m * sizeof(double)))
}

// 65536 * 65536 is 0 in 32 bits, and not in 64.
// OK: factors.cu:[[#@LINE+3]]:{{.*}} h + {{.*}} unified
// BAD: factors.cu:[[#@LINE+3]]:{{.*}} h + {{.*}} declined S2 host-write-in-flight
void fewerBits(int *flag, unsigned n, unsigned m, unsigned k) {
  SAFE(BODY((size_t)n * m * sizeof(double)))
  UNSAFE(BODY(n * m * sizeof(double)))
}
