// A recursive function stays a call, but what it calls is inlined into the copy
// that is read of it: algorithms that compare iterators, as std::sort does.
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
#include <algorithm>
#include <vector>

const float *kept;
size_t number;

// Both ends are of one buffer, or not.
float total(const float *begin, const float *end) {
  if (end - begin == 1)
    return *begin;
  const float *middle = begin + (end - begin) / 2;
  return begin < middle ? total(begin, middle) + total(middle, end) : 0;
}
// OK: recursive.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: recursive.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 {{pointer-compared|pointer-to-integer}}
float ends(const float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(float seen = total(h, h + Count);)
  UNSAFE(float seen = total(h, other);)
  FREE;
  return seen;
}

// Each end by itself is a number for all to see, or it is not.
void halves(float *begin, float *end) {
  UNSAFE(number = reinterpret_cast<size_t>(begin);)
  if (end - begin < 2)
    return;
  *begin = 1;
  halves(begin, begin + (end - begin) / 2);
}
// OK: recursive.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: recursive.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{coverage unknown-call|S3 pointer-to-integer}}
void numbers() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  halves(h, h + Count);
  FREE;
}

// What the algorithm calls sees the elements' addresses.
// OK: recursive.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: recursive.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
float sorts() {
  PAIR;
  memset(h, 0, Bytes);
  std::sort(h, h + Count, [](const float &a, const float &b) {
    UNSAFE(kept = &a;)
    return a > b;
  });
  UP;
  update<<<1, 1>>>(d);
  DOWN;
  float seen = h[0];
  FREE;
  return seen;
}

// Sorting reads.
// OK: recursive.cu:[[#@LINE+3]]:22 h + {{.*}} unified
// BAD: recursive.cu:[[#@LINE+2]]:22 h + {{.*}} declined S1 device-write-live-host
float sortsVector() {
  std::vector<float> h(Count, 1.0f);
  float *d;
  cudaMalloc(&d, Bytes);
  cudaMemcpy(d, h.data(), Bytes, cudaMemcpyHostToDevice);
  update<<<1, 1>>>(d);
  SAFE(cudaMemcpy(h.data(), d, Bytes, cudaMemcpyDeviceToHost);)
  UNSAFE(cudaDeviceSynchronize();)
  std::sort(h.begin(), h.end());
  cudaFree(d);
  return h[0];
}
