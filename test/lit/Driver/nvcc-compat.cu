// What nvcc adds by itself: host min and max, versions, CCCL's headers.
// REQUIRES: cuda-toolkit
// RUN: %precompiled_cc -w -std=c++17 %s -o %t && %t
// RUN: %precompiled_cc -w -std=c++17 -O2 -DUSE_STD %s -o %t && %t
// RUN: not %precompiled_cc -w -fsyntax-only -DBLOCKED %s 2>&1 | FileCheck %s
// CHECK: error: no matching function for call to 'min'
#include <algorithm>
#include <cstdio>
#if __CUDACC_VER_MAJOR__ >= 13
#include <cuda/std/array>
#endif
#ifdef USE_STD
using namespace std;
#endif
#if !__CUDACC__
#error "__CUDACC__ has no value"
#endif
#ifdef __NVCC__
#error "nvcc's own headers would be taken"
#endif
__host__ __device__ int both(int a, int b) { return min(a, b) + max(a, b); }
__global__ void k(int *p, double *d, const char *s) {
  *p = both(min(1, 2), 3u > 2 ? 1 : 0);
  d[0] = nan("");
  d[1] = nanf(s);
}
int main() {
  static_assert(__CUDACC_VER_MAJOR__ >= 9 && __CUDACC_VER_MINOR__ >= 0, "");
  bool good = both(2, 5) == 7 && min(1.0f, 2.0f) == 1.0f &&
              max(1.0, 2.0f) == 2.0 && min(3u, 4) == 3u &&
              max(size_t(3), size_t(4)) == 4 && max(-1LL, 1LL) == 1 &&
              std::min(1, 2) == 1;
#ifdef BLOCKED
  struct S {};
  min(S(), S());
#endif
  return good ? 0 : 1;
}
