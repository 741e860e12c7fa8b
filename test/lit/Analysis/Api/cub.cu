// CUB, and what of thrust stands on it: the bodies show all there is to know,
// also where their loops are unrolled into hundreds of accesses.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w -O1 --device=cpu %s -o %t --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: env ECHO_BACKING=managed %t | FileCheck --check-prefix=SEEN %s
// RUN: env ECHO_BACKING=split %t | FileCheck --check-prefix=SEEN %s
// RUN: %echo_cc -w -O1 --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

// CUB's sort polls what its other blocks have done, and copies device memory:
// of merged memory, the host might wait for that copy, and the kernel for the
// host.
// OK: cub.cu:[[#@LINE+3]]:3 h + {{.*}} declined coverage host-concurrency
// BAD: cub.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float sorts() {
  PAIR;
  for (int i = 0; i < Count; ++i)
    h[i] = Count - i;
  UP;
  thrust::sort(thrust::device, d, d + Count);
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  float seen = h[2];
  FREE;
  return seen;
}

// OK: cub.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: cub.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
float reduces() {
  PAIR;
  for (int i = 0; i < Count; ++i)
    h[i] = i % 2;
  UP;
  float *sum, seen = 0;
  cudaMalloc(&sum, sizeof(float));
  void *temporary = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(temporary, bytes, d, sum, Count);
  cudaMalloc(&temporary, bytes);
  UNSAFE(h[0] = 1;)
  cub::DeviceReduce::Sum(temporary, bytes, d, sum, Count);
  cudaMemcpy(&seen, sum, sizeof(float), cudaMemcpyDeviceToHost);
  SAFE(h[0] = 1;)
  cudaFree(temporary);
  cudaFree(sum);
  FREE;
  return seen;
}

int main() {
  // SEEN: 3 131072
  printf("%g %g\n", sorts(), reduces());
}
