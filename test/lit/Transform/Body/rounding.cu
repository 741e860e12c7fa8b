// A function that clang may leave as a call is not brought into another one where
// the options let sums of both be combined: results would be rounded otherwise.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O2 -c %s --min-bytes=1 -o %t.o --report %t.txt
// RUN: FileCheck --check-prefix=BOTH %s < %t.txt
// RUN: %echo_cc -w --device=cpu -O2 -ffp-contract=on -c %s --min-bytes=1 -o %t.o --report %t.on.txt
// RUN: FileCheck --check-prefix=BOTH %s < %t.on.txt
// RUN: %echo_cc -w --device=cpu -O2 -ffast-math -c %s --min-bytes=1 -o %t.o --report %t.fast.txt
// RUN: FileCheck --check-prefix=ONE %s < %t.fast.txt
// RUN: %echo_cc -w --device=cpu -O2 -ffp-contract=fast -c %s --min-bytes=1 -o %t.o --report %t.fused.txt
// RUN: FileCheck --check-prefix=ONE %s < %t.fused.txt
// RUN: %echo_cc -w --device=cpu -O2 -freciprocal-math -c %s --min-bytes=1 -o %t.o --report %t.rcp.txt
// RUN: FileCheck --check-prefix=ONE %s < %t.rcp.txt
#include <cstdlib>

__global__ void twice(float *d) { d[threadIdx.x] *= 2; }

// BOTH: x + {{.*}} unified
// ONE: x + {{.*}} declined coverage shared-call
static float up(float *d, const float *h, size_t bytes, float a, float b) {
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  return a / b + a;
}

float sums(size_t bytes, float a, float b) {
  float *x = (float *)malloc(bytes), *dx;
  cudaMalloc(&dx, bytes);
  for (size_t i = 0; i < bytes / 4; ++i)
    x[i] = i;
  float c = up(dx, x, bytes, a, b) - a;
  twice<<<1, 64>>>(dx);
  cudaMemcpy(x, dx, bytes, cudaMemcpyDeviceToHost);
  c += x[3] * b;
  cudaFree(dx);
  free(x);
  return c;
}

// No floating-point value passes this one.
// BOTH: y + {{.*}} unified
// ONE: y + {{.*}} unified
static void move(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy(to, from, bytes, kind);
}

float moved(size_t bytes, float a, float b) {
  float *y = (float *)malloc(bytes), *dy;
  cudaMalloc(&dy, bytes);
  for (size_t i = 0; i < bytes / 4; ++i)
    y[i] = i;
  move(dy, y, bytes, cudaMemcpyHostToDevice);
  twice<<<1, 64>>>(dy);
  move(y, dy, bytes, cudaMemcpyDeviceToHost);
  float c = a / b + y[3] / b;
  cudaFree(dy);
  free(y);
  return c;
}
