// Thrust's algorithms on device memory of the program's own: Echo reads their
// bodies, which select the device that is current anyway, and their kernels.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w -O2 --device=cpu %s -o %t --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: env ECHO_BACKING=managed %t | FileCheck --check-prefix=SUMS %s
// RUN: env ECHO_BACKING=split %t | FileCheck --check-prefix=SUMS %s
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/transform.h>

struct Twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};

// OK: thrust.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: thrust.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float transforms() {
  PAIR;
  for (int i = 0; i < Count; ++i)
    h[i] = i % 4;
  UP;
  thrust::transform(thrust::device, d, d + Count, d, Twice());
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  float sum = h[1] + h[2] + h[3];
  FREE;
  return sum;
}

// OK: thrust.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: thrust.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float fills() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  thrust::fill(thrust::device, d, d + Count / 2, 3.0f);
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  float sum = h[0] + h[Count - 1];
  FREE;
  return sum;
}

// OK: thrust.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: thrust.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float copies() {
  PAIR;
  float *other;
  cudaMalloc(&other, Bytes);
  for (int i = 0; i < Count; ++i)
    h[i] = 5;
  UP;
  thrust::copy(thrust::device, d, d + Count, other);
  update<<<1, 256>>>(thrust::raw_pointer_cast(thrust::device_ptr<float>(d)));
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  float sum = h[0] + h[Count - 1];
  FREE;
  cudaFree(other);
  return sum;
}

// A class around the pointer.
// OK: thrust.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: thrust.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float fillsBehindClass() {
  PAIR;
  thrust::device_ptr<float> first(d);
  memset(h, 0, Bytes);
  UP;
  thrust::fill(first, first + Count / 2, 4.0f);
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  float sum = h[0] + h[Count - 1];
  FREE;
  return sum;
}

int main() {
  // SUMS: 12 3 11 4
  printf("%g %g %g %g\n", transforms(), fills(), copies(), fillsBehindClass());
}
