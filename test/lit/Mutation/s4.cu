// S4 with one rule turned off: the program that it declines merges.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// DEFINE: %{merges} = FileCheck --check-prefix=MERGES %s -DNAME
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_
// CHECK: define
// RUN: %{opt} -echo-without=different-loops | %{merges}=otherLoop
// RUN: %{opt} -echo-without=crosses-iteration | %{merges}=acrossIterations
// RUN: %{opt} -echo-without=freed-before-partner | %{merges}=freedBeforePartner
// RUN: %{opt} -echo-without=device-reset | %{merges}=reset
// RUN: %{opt} -echo-without=failing-resize | %{merges}=keptAndReset
// RUN: %{opt} -echo-without=reallocated | %{merges}=resized
// RUN: %{opt} -echo-without=resized-only-read | %{merges}=writtenAndResized
// RUN: %{opt} -echo-without=one-instance | %{merges}=twoOfLoop
// RUN: %{opt} -echo-without=grown-of-one-size | %{merges}=grownForSizes
// MERGES: define {{.*}} @[[NAME]](
// MERGES-NOT: {{^}}}
// MERGES: call ptr @echort_acquire(
#include "../Inputs/case.h"

extern "C" {

void keptAndReset(size_t room) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaFree(d);
  float *larger = (float *)realloc(h, room);
  cudaDeviceReset();
  free(larger ? larger : h);
}

void writtenAndResized(int n) {
  float *h = nullptr, *d;
  for (int i = 1; i < n; ++i) {
    if (h)
      h[0] = i;
    h = (float *)realloc(h, i * Bytes);
    cudaMalloc(&d, i * Bytes);
    cudaMemcpy(d, h, i * Bytes, cudaMemcpyHostToDevice);
    cudaFree(d);
  }
  free(h);
}

float twoOfLoop(int n, int *flag) {
  float *h = nullptr, *last = nullptr, *d;
  for (int i = 0; i < n; ++i) {
    float *next = (float *)malloc(Bytes);
    memset(next, i, Bytes);
    if (i & 1)
      last = next;
    else
      h = next;
  }
  cudaMalloc(&d, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaFree(d);
  float seen = last ? last[0] : 0;
  free(h);
  free(last);
  return seen;
}

float grownForSizes(int n, int *flag) {
  float *h = nullptr, *d;
  size_t room = 0;
  for (int i = 1; i < n; ++i) {
    for (int k = 0; k < n; ++k)
      if (room < k * Bytes) {
        free(h);
        room = k * Bytes;
        h = (float *)malloc(room);
      }
    size_t bytes = Bytes / i;
    cudaMalloc(&d, bytes);
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    readOnly<<<1, 1>>>(d, flag);
    cudaDeviceSynchronize();
    cudaFree(d);
  }
  float seen = h ? h[0] : 0;
  free(h);
  return seen;
}

void otherLoop(int n) {
  float *d;
  cudaMalloc(&d, Bytes);
  for (int i = 0; i < n; ++i) {
    float *h;
    cudaMallocHost(&h, Bytes);
    memset(h, i, Bytes);
    UP;
    cudaFreeHost(h);
  }
  cudaFree(d);
}

float acrossIterations(int n) {
  float sum = 0, *last = nullptr;
  for (int i = 0; i < n; ++i) {
    PAIR;
    DOWN;
    sum += last ? last[0] : 0;
    last = h;
    cudaFree(d);
  }
  return sum;
}

void freedBeforePartner() {
  float *h = (float *)malloc(Bytes);
  free(h);
  float *d;
  cudaMalloc(&d, Bytes);
  UP;
  cudaFree(d);
}

float reset() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaDeviceReset();
  float seen = h[0];
  free(h);
  return seen;
}

float resized(float *some, bool which) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaFree(d);
  float *other = (float *)realloc(which ? h : some, 2 * Bytes);
  float seen = other[0];
  free(other);
  return seen;
}

}
