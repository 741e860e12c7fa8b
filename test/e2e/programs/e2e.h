//===- e2e.h - What the end-to-end programs share ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error check, host loops and small kernels. Every result is exact in float, so
// that outputs are equal whatever the order of additions.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_E2E_H
#define ECHO_TEST_E2E_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t Status = (call);                                               \
    if (Status != cudaSuccess) {                                               \
      std::printf("%s: %s\n", #call, cudaGetErrorName(Status));                \
      std::exit(9);                                                            \
    }                                                                          \
  } while (0)

constexpr int N = 1 << 16;                     ///< floats in a buffer
constexpr size_t Bytes = N * sizeof(float);    ///< 256 KiB
constexpr int Threads = 128, Blocks = N / Threads;

/// h[i] depends on the place and on the seed.
inline void fill(float *h, int n, int seed) {
  for (int i = 0; i < n; ++i)
    h[i] = static_cast<float>((i * 7 + seed * 13) % 64);
}

/// Sum of all values, plus a sample that tells permutations apart.
inline double sum(const float *h, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += h[i] * static_cast<double>(1 + i % 3);
  return total;
}

/// out = in * factor
__global__ void scale(const float *in, float *out, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * factor;
}

/// data += value
__global__ void addInPlace(float *data, int n, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += value;
}

/// y += a * x
__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}

/// out[i] = i % 100
__global__ void iota(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = static_cast<float>(i % 100);
}

#endif
