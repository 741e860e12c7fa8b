//===- generated.h - Device buffers of generated values ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights and other inputs that are made on the device, so that no host buffer
// belongs to them: they are no pair of the benchmark.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_BENCH_GENERATED_H
#define ECHO_BENCH_GENERATED_H

#include "bench.h"

namespace bench {

/// Fills a device buffer with repeatable values between -Scale and Scale.
static __global__ void generate(float *Buffer, size_t Count, unsigned Seed,
                                float Scale) {
  const size_t Step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t I = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       I < Count; I += Step) {
    unsigned State = static_cast<unsigned>(I) * 2654435761u + Seed * 40503u;
    State ^= State >> 16;
    State *= 2246822519u;
    State ^= State >> 13;
    State *= 3266489917u;
    State ^= State >> 16;
    Buffer[I] = (static_cast<float>(State >> 8) / 8388608.0f - 1.0f) * Scale;
  }
}

/// A device buffer of repeatable values that no host buffer belongs to.
inline float *generated(size_t Count, unsigned Seed, float Scale) {
  float *Buffer = nullptr;
  CHECK(cudaMalloc(&Buffer, Count * sizeof(float)));
  generate<<<256, 256>>>(Buffer, Count, Seed, Scale);
  CHECK(cudaGetLastError());
  return Buffer;
}

} // namespace bench

#endif
