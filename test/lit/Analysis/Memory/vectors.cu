// The size of a vector whose length only run time knows: begin and end come out
// of the constructor by several ways, the end is begin + n on all of them.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S1 -w --device=cpu -c %s
#include "../../Inputs/case.h"
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
// 0 is a copy that fails, and leaves the buffer.
// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} n*4 B unified 1 copy removed
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} n*4 B declined S1 device-write-live-host
float sometimesNull(size_t n, int steps) {
  float *h = (float *)malloc(n * 4);
  float *to = (n SAFE(<< 2) UNSAFE(<< 40)) ? h : nullptr;
  float *d, seen = 0;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    update<<<1, 256>>>(d);
    cudaMemcpy(to, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    seen += h[i];
  }
  FREE;
  return seen;
}

// A sum with a constant has no bytes where the sum is 0, in bits that count.
// OK: [[#@LINE+3]]:{{[0-9]+}} v + {{.*}} (n+1024)*8 B unified 1 copy removed
// BAD: [[#@LINE+2]]:{{[0-9]+}} v + {{.*}} (n+1024)*8 B declined S1 device-write-live-host
double padded(size_t n, int steps) {
  std::vector<double> v(n + 1024);
  double *d, seen = 0;
  cudaMalloc(&d, (n + 1024) * sizeof(double));
  for (int i = 0; i < steps; ++i) {
    update<<<1, 256>>>((float *)d);
    cudaMemcpy(v.data(), d, (n + 1024 UNSAFE(-1)) * sizeof(double),
               cudaMemcpyDeviceToHost);
    seen += v[i];
  }
  cudaFree(d);
  return seen;
}

// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} (n+1024)*4 B unified 1 copy removed
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} (n+1024)*4 B declined S1 device-write-live-host
float sumNull(size_t n, int steps) {
  float *h = (float *)malloc((n + 1024) * 4);
  float *to = (n + 1024) SAFE(<< 2) UNSAFE(<< 3) ? h : nullptr;
  float *d, seen = 0;
  cudaMalloc(&d, (n + 1024) * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    update<<<1, 256>>>(d);
    cudaMemcpy(to, d, (n + 1024) * sizeof(float), cudaMemcpyDeviceToHost);
    seen += h[i];
  }
  FREE;
  return seen;
}

// The bytes as an int: none where the vector has none. Where the product does
// not fit, run time sees two sizes.
// OK: [[#@LINE+4]]:{{[0-9]+}} v + {{.*}} bytes B guarded 1 copy removed
// BAD: [[#@LINE+3]]:{{[0-9]+}} v + {{.*}} bytes B declined S1 device-write-live-host
float asInt(size_t n, int steps) {
  size_t count = n * n * n;
  std::vector<float> v(count);
  int bytes = sizeof(float) * count;
  float *d, seen = 0;
  cudaMalloc(&d, bytes);
  for (int i = 0; i < steps; ++i) {
    update<<<1, 256>>>(d);
    cudaMemcpy(v.data(), d, bytes UNSAFE(/ 2), cudaMemcpyDeviceToHost);
    seen += v[i];
  }
  cudaFree(d);
  return seen;
}

// Where there is no buffer there is nothing that a failed copy leaves, and no
// pair. A buffer that the copy does not name is another matter.
// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} n*4 B unified 1 copy removed
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} n*4 B declined S1 device-write-live-host
float onlyIfThere(size_t n, bool ask, int steps) {
  float *h = SAFE(ask ?) (float *)malloc(n * 4) SAFE( : nullptr);
  float *to = SAFE(h) UNSAFE(ask ? h : nullptr), *d, seen = 0;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    update<<<1, 256>>>(d);
    cudaMemcpy(to, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    seen += h ? h[i] : 0;
  }
  FREE;
  return seen;
}

// OK: 9 pairs: 8 unified, 1 guarded
// BAD: 9 pairs: 9 declined
