// Thrust's sort, reduction and transform run on the CPU device, for an older
// architecture than the default. CUB asks what a kernel was compiled for.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O1 -arch=sm_75 %s -o %t && %t | FileCheck %s
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

__global__ void empty() {}

int main() {
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, empty);
  // CHECK: 75 75
  printf("%d %d\n", a.ptxVersion, a.binaryVersion);
  for (int n : {1000, 200000}) {
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; ++i)
      h[i] = long(i) * 7919 % n;
    thrust::device_vector<int> d = h;
    thrust::sort(d.begin(), d.end());
    long sum = thrust::reduce(d.begin(), d.end(), 0l);
    thrust::transform(d.begin(), d.end(), d.begin(), thrust::negate<int>());
    thrust::copy(d.begin(), d.end(), h.begin());
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      wrong += h[i] != -i;
    // CHECK-NEXT: 499500 0
    // CHECK-NEXT: 19999900000 0
    printf("%ld %d\n", sum, wrong);
  }
}
