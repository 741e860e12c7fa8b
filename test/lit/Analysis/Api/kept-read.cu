// A buffer that a library knows only by descriptors which are inputs of all
// calls is read by these calls, and not written.
// REQUIRES: cuda-toolkit
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o
// RUN: %{cc} --report %t.ok && FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %{cc} -O0 --report %t.ok0 && FileCheck --input-file=%t.ok0 --check-prefix=OK %s
// RUN: %{cc} --report %t.bad -DBLOCKED && FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %{cc} -O0 --report %t.bad0 -DBLOCKED && FileCheck --input-file=%t.bad0 --check-prefix=BAD %s
#include "Inputs/library.h"
extern "C" int cusparseDnVecSetValues(cusparseDnVecDescr_t, void *values);

const float two = 2;
static cusparseSpMatDescr_t A;
#define VECTORS                                                                \
  cusparseHandle_t handle;                                                     \
  cusparseDnVecDescr_t x, y, v = nullptr;                                      \
  cusparseCreate(&handle);                                                     \
  cusparseCreateDnVec(&x, Count, other, 0);                                    \
  cusparseCreateDnVec(&y, Count, third, 0);                                    \
  PAIR;                                                                        \
  memset(h, 1, Bytes);                                                         \
  UP;                                                                          \
  cusparseCreateDnVec(&v, Count, d, 0)
#define MULTIPLY(FROM, TO)                                                     \
  cusparseSpMV(handle, 0, &two, A, FROM, &two, TO, 0, 0, nullptr)

// A kernel that waits may get the address from a later call.
__global__ void waiting(float *volatile *mailbox) {
  while (!*mailbox)
    ;
  (*mailbox)[0] = 1;
}
// OK: kept-read.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kept-read.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-escapes
void waitsForLater(float *other, float *third) {
  VECTORS;
  cusparseDnVecDescr_t w = nullptr;
  waiting<<<1, 1>>>((float **)third);
  MULTIPLY(v, y);
  UNSAFE(cusparseCreateDnVec(&w, Count, d, 0);)
  MULTIPLY(x, w);
  cudaDeviceSynchronize();
  FREE;
}

// OK: kept-read.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// BAD: kept-read.cu:[[#@LINE+3]]:3 h + {{.*}} declined S1 device-write-live-host
// BAD-NEXT: [[#@LINE+4]]:10 'cusparseSpMV' writes d
static void input(float *other, float *third) {
  VECTORS;
  SAFE(MULTIPLY(v, y);)
  UNSAFE(MULTIPLY(x, v);)
  cudaDeviceSynchronize();
  LOOK;
  cusparseDestroyDnVec(v);
  FREE;
}

// OK: kept-read.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kept-read.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
static void twoDescriptors(float *other, float *third) {
  VECTORS;
  cusparseDnVecDescr_t w;
  cusparseCreateDnVec(&w, Count, d, 0);
  MULTIPLY(v, y);
  SAFE(MULTIPLY(w, y);)
  UNSAFE(MULTIPLY(x, w);)
  cudaDeviceSynchronize();
  LOOK;
  FREE;
}

// OK: kept-read.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kept-read.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
static void anotherName(float *other, float *third) {
  VECTORS;
  cusparseDnVecDescr_t same = v;
  SAFE(MULTIPLY(same, y);)
  UNSAFE(MULTIPLY(x, same);)
  cudaDeviceSynchronize();
  LOOK;
  FREE;
}

// A descriptor that was there before may be anything.
// OK: kept-read.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kept-read.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
static void givenToAnother(float *other, float *third) {
  VECTORS;
  SAFE(cusparseDnVecSetValues(y, third);)
  UNSAFE(cusparseDnVecSetValues(y, d);)
  MULTIPLY(v, y);
  cudaDeviceSynchronize();
  LOOK;
  FREE;
}

// It is read all the same.
// OK: kept-read.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kept-read.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
static void tooEarly(float *other, float *third) {
  VECTORS;
  MULTIPLY(v, y);
  SAFE(cudaDeviceSynchronize();)
  h[0] = 1;
  UNSAFE(cudaDeviceSynchronize();)
  FREE;
}

// What another descriptor is made for later is not done before.
// OK: kept-read.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: kept-read.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
static void writtenLater(float *other, float *third) {
  VECTORS;
  cusparseDnVecDescr_t w;
  UNSAFE(cusparseCreateDnVec(&w, Count, d, 0);)
  MULTIPLY(v, y);
  cudaDeviceSynchronize();
  LOOK;
  SAFE(cusparseCreateDnVec(&w, Count, d, 0);)
  MULTIPLY(x, w);
  cudaDeviceSynchronize();
  FREE;
}

int main() {
  float *other, *third;
  int *offsets, *columns;
  cudaMalloc(&other, Bytes);
  cudaMalloc(&third, Bytes);
  cudaMalloc(&offsets, Bytes);
  cudaMalloc(&columns, Bytes);
  cusparseCreateCsr(&A, 512, 512, 4096, offsets, columns, other, 2, 2, 0, 0);
  input(other, third);
  twoDescriptors(other, third);
  anotherName(other, third);
  givenToAnother(other, third);
  tooEarly(other, third);
  writtenLater(other, third);
}

// OK: 7 pairs: 7 unified
// BAD: 7 pairs: 7 declined
