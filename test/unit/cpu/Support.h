//===- Support.h - Hand-made modules and child processes ------ -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests share: kernels written by hand in the form that echo-cc emits,
// and runs of this program under other ECHO_CPU_* settings, since those are
// read once per process.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_CPU_SUPPORT_H
#define ECHO_TEST_UNIT_CPU_SUPPORT_H

#include "CudaCalls.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

/// A kernel whose parameters are all 8 bytes wide.
class TestKernel {
public:
  enum Kind { Loop, Fibers };
  TestKernel(const char *Name, Kind How, void (*Body)(const EchoCpuBlock *),
             unsigned NumParams, unsigned SharedBytes = 0,
             unsigned MaxThreads = 0);
  ~TestKernel();
  TestKernel(const TestKernel &) = delete;
  TestKernel &operator=(const TestKernel &) = delete;

  /// The host stub's address.
  const void *stub() const { return this; }
  template <typename... Ts>
  cudaError_t launch(dim3 Grid, dim3 Block, size_t Shared, cudaStream_t S,
                     Ts... Args) const {
    uint64_t Values[] = {(uint64_t)Args..., 0};
    void *Pointers[sizeof...(Ts) + 1];
    for (size_t I = 0; I != sizeof...(Ts); ++I)
      Pointers[I] = &Values[I];
    return cudaLaunchKernel(stub(), Grid, Block, Pointers, Shared, S);
  }

private:
  EchoCpuKernel Code;
  EchoCpuModule Module;
  std::vector<uint32_t> Offsets, Sizes;
  struct {
    int Magic, Version;
    const void *Data;
    void *Unused;
  } Wrapper;
  void **Handle;
};

/// Parameter \p Index of a TestKernel.
template <typename T> T param(const EchoCpuBlock *B, unsigned Index) {
  static_assert(sizeof(T) <= 8);
  return *reinterpret_cast<T *>(B->params + 8 * Index);
}

inline unsigned blockThreads(const EchoCpuBlock *B) {
  return B->blockDim[0] * B->blockDim[1] * B->blockDim[2];
}

struct ChildResult {
  int Status; ///< exit status, or 128 + signal
  std::string Output;
};
/// Runs the test case \p Name of this program with more environment variables
/// ("NAME=value").
ChildResult runChild(const std::string &Name,
                     const std::vector<std::string> &Environment);

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ECHO_TEST_SANITIZED 1
#endif
#endif

#define CHECK_CUDA(Call) CHECK(int(Call) == int(cudaSuccess))
#define REQUIRE_CUDA(Call) REQUIRE(int(Call) == int(cudaSuccess))

#endif
