// The size of a vector whose length only run time knows: begin and end come out
// of the constructor by several ways, the end is begin + n on all of them.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../Inputs/case.h"
#include <vector>

// OK: [[#@LINE+3]]:{{[0-9]+}} v + {{.*}} n*4 B unified 1 copy removed
// BAD: [[#@LINE+2]]:{{[0-9]+}} v + {{.*}} declined S1 device-write-live-host
float zeroes(size_t n, int steps) {
  std::vector<float> v(n);
  float *d, seen = 0;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    update<<<1, 256>>>(d);
    cudaMemcpy(v.data(), d, (v.size() UNSAFE(-1)) * sizeof(float),
               cudaMemcpyDeviceToHost);
    seen += v[i];
  }
  cudaFree(d);
  return seen;
}

struct Point {
  float x, y, z;
};
// OK: [[#@LINE+3]]:{{[0-9]+}} v + {{.*}} unified 2 copies removed
// BAD: [[#@LINE+2]]:{{[0-9]+}} v + {{.*}} declined S1 device-write-live-host
float copies(int n) {
  std::vector<Point> v(n, Point{1, 2, 3});
  float *d;
  cudaMalloc(&d, v.size() * sizeof(Point));
  cudaMemcpy(d, v.data(), v.size() * sizeof(Point), cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(v.data(), d, v.size() * sizeof(SAFE(Point) UNSAFE(float)),
             cudaMemcpyDeviceToHost);
  float seen = v[0].x;
  cudaFree(d);
  return seen;
}

// The number of elements is used after the vector was made.
// OK: [[#@LINE+4]]:{{[0-9]+}} + {{.*}} unified 1 copy removed
// BAD: [[#@LINE+3]]:{{[0-9]+}} + {{.*}} declined S1 device-write-live-host
float resized(size_t n, int steps) {
  std::vector<float> v;
  v.resize(n);
  float *d, seen = 0;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    update<<<1, 256>>>(d);
    cudaMemcpy(v.data(), d, SAFE(v.size()) UNSAFE(n / 2) * sizeof(float),
               cudaMemcpyDeviceToHost);
    seen += v[i];
  }
  cudaFree(d);
  return seen;
}

// As long as another one, which the function was given.
// OK: [[#@LINE+3]]:{{[0-9]+}} v + {{.*}} unified 1 copy removed
// BAD: [[#@LINE+2]]:{{[0-9]+}} v + {{.*}} declined S1 device-write-live-host
float like(const std::vector<float> &in) {
  std::vector<float> v(in.size());
  float *d;
  cudaMalloc(&d, v.size() * sizeof(float));
  update<<<1, 256>>>(d);
  cudaMemcpy(v.data(), d, (v.size() UNSAFE(/ 2)) * sizeof(float),
             cudaMemcpyDeviceToHost);
  float seen = v[0];
  cudaFree(d);
  return seen;
}

// Null where there are no bytes is fine; null where some bits of the number are
// 0 is a copy that fails.
// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} n*4 B unified 1 copy removed
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} n*4 B declined S1 device-write-live-host
float sometimesNull(size_t n, int steps) {
  float *h = (n SAFE(<< 2) UNSAFE(<< 40)) ? (float *)malloc(n * 4) : nullptr;
  float *d, seen = 0;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    update<<<1, 256>>>(d);
    cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    seen += h ? h[i] : 0;
  }
  FREE;
  return seen;
}

// OK: 5 pairs: 5 unified
// BAD: 5 pairs: 5 declined
