//===- Limits.cpp - cudaDeviceGetLimit and cudaDeviceSetLimit -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the device's limits. See Limits.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Limits.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Fibers.h"
#include "runtime/cpu/graphs/Capture.h"

namespace echo::cpu {

static std::atomic<size_t> HeapLimit{8 << 20}, HeapUsed{0};
static std::atomic<size_t> PrintfFifo{1 << 20};

bool takeHeap(size_t Bytes) {
  size_t Limit = HeapLimit.load(), Used = HeapUsed.load();
  do {
    if (Bytes > Limit || Used > Limit - Bytes)
      return false;
  } while (!HeapUsed.compare_exchange_weak(Used, Used + Bytes));
  return true;
}

void returnHeap(size_t Bytes) { HeapUsed.fetch_sub(Bytes); }

} // namespace echo::cpu

using namespace echo::cpu;

extern "C" {

cudaError_t cudaDeviceGetLimit(size_t *Value, cudaLimit Limit) {
  return api([&] {
    if (!Value)
      return cudaErrorInvalidValue;
    switch (Limit) {
    case cudaLimitStackSize:
      *Value = fiberStack();
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      *Value = PrintfFifo.load();
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      *Value = HeapLimit.load();
      return cudaSuccess;
    }
    return cudaErrorUnsupportedLimit;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit Limit, size_t Value) {
  return riskyApi(Risk::Unsafe, [&] {
    switch (Limit) {
    case cudaLimitStackSize:
      setFiberStack(Value);
      return cudaSuccess;
    case cudaLimitPrintfFifoSize:
      // Nothing is lost here whatever the size.
      PrintfFifo.store(Value);
      return cudaSuccess;
    case cudaLimitMallocHeapSize:
      HeapLimit.store(Value);
      return cudaSuccess;
    }
    return cudaErrorUnsupportedLimit;
  });
}

} // extern "C"
