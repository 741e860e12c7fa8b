// S1: what the host fills is written, also where a download overwrites it before
// anybody reads it: the fill is the program's code. calloc's zeroes, which no code
// of the program writes, are left out there.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.asan -fsanitize=address
// RUN: FileCheck --input-file=%t.asan --check-prefix=ASAN %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.stops -DSTOPS
// RUN: FileCheck --input-file=%t.stops --check-prefix=STOPS %s
// RUN: %each_condition S1 -w --device=cpu -c %s
#include "../../../Inputs/case.h"
#include <cassert>
#include <vector>

// Behind a kernel that stopped, each download fails, and h is as it was filled.
// STOPS: 7 pairs: 7 declined
#ifdef STOPS
__global__ void mayStop(float *out) {
  assert(out[1] < 9);
  out[0] = 1;
}
#endif

// A vector is made while the kernel may be at work.
// OK: [[#@LINE+6]]:22 v + {{.*}} declined S1 host-write-live-device
// BAD: [[#@LINE+5]]:22 v + {{.*}} declined S1 host-write-live-device
float vector() {
  float *d;
  cudaMalloc(&d, Bytes);
  writeOnly<<<1, 256>>>(d);
  std::vector<float> v(Count);
  cudaMemcpy(v.data(), d, Bytes UNSAFE(-4), cudaMemcpyDeviceToHost);
  float seen = v[Count - 1];
  cudaFree(d);
  return seen;
}

// Its size is known when it runs.
// OK: [[#@LINE+5]]:23 v + {{.*}} declined S1 host-write-live-device
// BAD: [[#@LINE+4]]:23 v + {{.*}} declined S1 host-write-live-device
double ofRunTime(size_t n, double *d) {
  cudaMalloc(&d, n * sizeof(double));
  writeOnly<<<1, 256>>>((float *)d);
  std::vector<double> v(n, 1.5);
  UNSAFE(double seen = v[n / 2];)
  cudaMemcpy(v.data(), d, n * sizeof(double), cudaMemcpyDeviceToHost);
  SAFE(double seen = v[n / 2];)
  cudaFree(d);
  return seen;
}

// One element is filled, and the others are copies of it: nobody else reads it.
struct Point {
  float x = 0, y = 1, z = 2;
};
// OK: [[#@LINE+6]]:22 v + {{.*}} declined S1 host-write-live-device
// BAD: [[#@LINE+5]]:22 v + {{.*}} declined S1 host-write-live-device
float points(size_t n, float *first) {
  float *d;
  cudaMalloc(&d, n * sizeof(Point));
  writeOnly<<<1, 256>>>(d);
  std::vector<Point> v(n);
  UNSAFE(*first = v[n - 1].y;)
  cudaMemcpy(v.data(), d, n * sizeof(Point), cudaMemcpyDeviceToHost);
  float seen = v[n - 1].z;
  cudaFree(d);
  return seen;
}

// OK: [[#@LINE+6]]:23 h + {{.*}} unified 1 copy removed
// BAD: [[#@LINE+5]]:23 h + {{.*}} declined S1 alloc-write-live
float callocs(bool b) {
  float *d;
  cudaMalloc(&d, Bytes);
  cudaMemset(d, 1, Bytes);
  float *h = (float *)calloc(Count, sizeof(float));
  UNSAFE(if (b))
    DOWN;
  float seen = h[0];
  FREE;
  return seen;
}

// Another buffer gets what was filled.
// OK: [[#@LINE+3]]:3 h + {{.*}} declined S1 host-write-live-device
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
float copied(float *other) {
  PAIR;
  cudaMemset(d, 1, Bytes);
  cudaDeviceSynchronize();
  memset(h, 0, Bytes);
  UNSAFE(memcpy(other, h, Bytes);)
  DOWN;
  float seen = h[0];
  FREE;
  return seen;
}

// An asynchronous copy may be captured into a graph.
// OK: [[#@LINE+3]]:3 h + {{.*}} declined S1 host-write-live-device
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
float later() {
  PAIR;
  cudaMemset(d, 1, Bytes);
  cudaDeviceSynchronize();
  memset(h, 0, Bytes);
  SAFE(DOWN;)
  UNSAFE(cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost);)
  cudaDeviceSynchronize();
  float seen = h[0];
  FREE;
  return seen;
}

// A loop around both: the fill of a round is for that round.
// OK: [[#@LINE+3]]:3 h + {{.*}} declined S1 host-write-live-device
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
float rounds(int n) {
  PAIR;
  float seen = 0;
  cudaMemset(d, 1, Bytes);
  for (int i = 0; i < n; ++i) {
    update<<<1, 256>>>(d);
    cudaDeviceSynchronize();
    UNSAFE(seen += h[i];)
    for (int k = 0; k < Count; ++k)
      h[k] = i;
    SAFE(DOWN;)
    SAFE(seen += h[i];)
  }
  UNSAFE(DOWN;)
  FREE;
  return seen;
}

// ASAN: 7 pairs: 1 unified, 6 declined
// OK: 7 pairs: 1 unified, 6 declined
// BAD: 7 pairs: 7 declined
