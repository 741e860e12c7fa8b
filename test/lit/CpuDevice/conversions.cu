// RUN: %echo_cc --device=cpu --no-unify -O0 %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O3 %s -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// Numbers that an integer cannot hold become what PTX's cvt makes of them.
// The kernels' inputs are unknown when they are compiled.
#include "Inputs/check.h"
#include <climits>
#include <cmath>
#include <cuda_fp16.h>

template <typename To, typename From>
__global__ void convert(const From *In, To *Out, int N) {
  int I = threadIdx.x;
  if (I < N)
    Out[I] = static_cast<To>(In[I]);
}

constexpr int N = 6;
constexpr double Numbers[N] = {-2.5, 3.9, 4294967296.0, 1e30, -1e30, NAN};

template <typename To, typename From> int check(const To (&Expected)[N]) {
  auto *In = managed<From>(N);
  auto *Out = managed<To>(N);
  for (int I = 0; I != N; ++I)
    In[I] = static_cast<From>(Numbers[I]);
  convert<<<1, 32>>>(In, Out, N);
  for (int I = 0; I != N; ++I)
    CHECK(Out[I] == Expected[I]);
  return 0;
}

int main() {
  // Half holds neither 2^32 nor 1e30: they are infinite.
  return check<int, float>({-2, 3, INT_MAX, INT_MAX, INT_MIN, 0}) ||
         check<unsigned, float>({0, 3, UINT_MAX, UINT_MAX, 0, 0}) ||
         check<int, double>({-2, 3, INT_MAX, INT_MAX, INT_MIN, INT_MIN}) ||
         check<unsigned, double>({0, 3, UINT_MAX, UINT_MAX, 0, 1u << 31}) ||
         check<long long, float>(
             {-2, 3, 1ll << 32, LLONG_MAX, LLONG_MIN, LLONG_MIN}) ||
         check<unsigned long long, double>(
             {0, 3, 1ull << 32, ULLONG_MAX, 0, 1ull << 63}) ||
         check<int, __half>({-2, 3, INT_MAX, INT_MAX, INT_MIN, 0}) ||
         check<unsigned char, float>({0, 3, 0xff, 0xff, 0, 0});
}
