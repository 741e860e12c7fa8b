//===- PoolApi.cpp - Memory pools -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device has one pool, the default one, from which stream-ordered memory
// comes. It keeps nothing back, so its settings are stored and change nothing.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/graphs/Capture.h"

using namespace echo::cpu;

typedef struct CUmemPoolHandle_st *cudaMemPool_t;

static char DefaultPool;
static cudaMemPool_t defaultPool() {
  return reinterpret_cast<cudaMemPool_t>(&DefaultPool);
}

// cudaMemPoolAttr.
static constexpr int FirstReuse = 1, LastReuse = 3, ReleaseThreshold = 4,
                     FirstUsage = 5, LastUsage = 8;
static std::atomic<int> Reuse[LastReuse + 1] = {{1}, {1}, {1}, {1}};
static std::atomic<uint64_t> Threshold{0};

static cudaError_t poolOf(cudaMemPool_t *Out, int Device) {
  if (!Out)
    return cudaErrorInvalidValue;
  if (!isDevice(Device))
    return cudaErrorInvalidDevice;
  *Out = defaultPool();
  return cudaSuccess;
}

static cudaError_t setAttribute(cudaMemPool_t Pool, int Name, void *Value) {
  if (Pool != defaultPool() || !Value)
    return cudaErrorInvalidValue;
  if (Name >= FirstReuse && Name <= LastReuse) {
    Reuse[Name].store(*static_cast<int *>(Value));
    return cudaSuccess;
  }
  if (Name == ReleaseThreshold) {
    Threshold.store(*static_cast<uint64_t *>(Value));
    return cudaSuccess;
  }
  // High-water marks may be reset, to 0 only.
  bool Mark = Name == FirstUsage + 1 || Name == LastUsage;
  return Mark && *static_cast<uint64_t *>(Value) == 0 ? cudaSuccess
                                                      : cudaErrorInvalidValue;
}

static cudaError_t getAttribute(cudaMemPool_t Pool, int Name, void *Value) {
  if (Pool != defaultPool() || !Value)
    return cudaErrorInvalidValue;
  if (Name >= FirstReuse && Name <= LastReuse) {
    *static_cast<int *>(Value) = Reuse[Name].load();
    return cudaSuccess;
  }
  if (Name < FirstReuse || Name > LastUsage)
    return cudaErrorInvalidValue;
  *static_cast<uint64_t *>(Value) =
      Name == ReleaseThreshold ? Threshold.load() : memoryInUse();
  return cudaSuccess;
}

static cudaError_t mallocFrom(void **Out, size_t Bytes, cudaMemPool_t Pool,
                              Stream *S) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (Pool != defaultPool() || !Out)
    return cudaErrorInvalidValue;
  if (cudaError_t Error = enterStream(*S, Use::Queue))
    return Error;
  if (isCapturing(*S))
    return captureAlloc(Out, Bytes, *S);
  void *P = nullptr;
  cudaError_t Error = allocate(MemKind::Device, Bytes, 0, P);
  if (Error == cudaSuccess) {
    *Out = P;
    orderLifetime(P, Bytes, *S);
  }
  return Error;
}

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *Out, int Device) {
  return api([&] { return poolOf(Out, Device); });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *Out, int Device) {
  return api([&] { return poolOf(Out, Device); });
}
cudaError_t cudaDeviceSetMemPool(int Device, cudaMemPool_t Pool) {
  return api([&] {
    if (!isDevice(Device))
      return cudaErrorInvalidDevice;
    return Pool == defaultPool() ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t Pool, int Name, void *Value) {
  return api([&] { return setAttribute(Pool, Name, Value); });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t Pool, int Name, void *Value) {
  return api([&] { return getAttribute(Pool, Name, Value); });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t Pool, size_t) {
  return api([&] {
    return Pool == defaultPool() ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMallocFromPoolAsync(void **Out, size_t Bytes,
                                    cudaMemPool_t Pool, cudaStream_t S) {
  return api(
      [&] { return mallocFrom(Out, Bytes, Pool, findStream(S, false)); });
}
cudaError_t cudaMallocFromPoolAsync_ptsz(void **Out, size_t Bytes,
                                         cudaMemPool_t Pool, cudaStream_t S) {
  return api([&] { return mallocFrom(Out, Bytes, Pool, findStream(S, true)); });
}

} // extern "C"
