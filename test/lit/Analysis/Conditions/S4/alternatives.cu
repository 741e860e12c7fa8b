// Several calls allocate the host buffer, one after the other: each replaces
// what is there. No other one's buffer exists where copies use it.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S4 -w --device=cpu -c %s
#include "../../../Inputs/case.h"
#include <vector>

// The first buffer is gone when there is a larger one. (Where both exist, they
// are two buffers, and the first one's content stays.)
// OK: [[#@LINE+3]]:{{[0-9]+}} small + {{.*}}:[[#@LINE+10]]:3 d {{.*}} guarded 1 copy
// BAD-NOT: small + {{.*}}{{unified|guarded}}
float enlarged(int n) {
  float *d, *small = (float *)malloc(100 * sizeof(float));
  small[0] = 1;
  float *h = small;
  if (n > 100) {
    SAFE(free(small);)
    h = (float *)malloc(n * sizeof(float));
  }
  cudaMalloc(&d, n * sizeof(float));
  update<<<1, 1>>>(d);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d);
  float seen = h[1] UNSAFE(+ small[0]);
  free(h);
  return seen;
}

// The device buffer comes when the last one is there.
// OK: [[#@LINE+6]]:{{[0-9]+}} h + {{.*}} d {{.*}} guarded 1 copy
// BAD: [[#@LINE+5]]:{{[0-9]+}} h + {{.*}} d {{.*}} declined S4 instance-mismatch
// BAD-NEXT: several calls allocate the host buffer
float first(int n) {
  float *d;
  UNSAFE(cudaMalloc(&d, n * sizeof(float));)
  float *h = (float *)malloc(100 * sizeof(float));
  if (n > 100) {
    free(h);
    h = (float *)malloc(n * sizeof(float));
  }
  SAFE(cudaMalloc(&d, n * sizeof(float));)
  update<<<1, 1>>>(d);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d);
  float seen = h[1];
  free(h);
  return seen;
}

// A reserved vector may grow, and is filled at two places.
// OK: [[#@LINE+4]]:{{[0-9]+}} {{.*}}+ {{.*}} d {{.*}} guarded 2 copies
// BAD: [[#@LINE+3]]:{{[0-9]+}} {{.*}}+ {{.*}} d {{.*}} declined S1 device-write-live-host
float reserved(int n) {
  std::vector<float> h;
  h.reserve(100);
  for (int i = 0; i < n; ++i)
    h.push_back(i);
  h.push_back(7);
  float *d;
  cudaMalloc(&d, h.size() * sizeof(float));
  cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
  update<<<1, 1>>>(d);
  SAFE(cudaMemcpy(h.data(), d, h.size() * sizeof(float), cudaMemcpyDeviceToHost);)
  cudaFree(d);
  return h[1];
}
// OK: 3 pairs: 3 guarded
