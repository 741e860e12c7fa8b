//===- MemoryApi.cpp - Allocation calls -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMalloc and its like. Frees wait for the device, as CUDA's do: queued work
// may still use the memory. But CUDA says only that they may wait, so they
// order nothing for ThreadSanitizer.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/graphs/Capture.h"

using namespace echo::cpu;

static bool isFreeable(MemKind K) {
  return K == MemKind::Device || K == MemKind::Managed;
}
static bool isHostBlock(MemKind K) { return K == MemKind::Pinned; }

static cudaError_t allocateAt(void **Pointer, MemKind Kind, size_t Bytes,
                              unsigned Flags) {
  if (!Pointer)
    return cudaErrorInvalidValue;
  void *P = nullptr;
  cudaError_t Error = allocate(Kind, Bytes, Flags, P);
  // A failed call leaves the caller's pointer alone.
  if (Error == cudaSuccess)
    *Pointer = P;
  return Error;
}

static cudaError_t freeNow(void *Pointer, bool (*Accept)(MemKind)) {
  if (!Pointer)
    return cudaSuccess;
  Allocation A = findAllocation(Pointer);
  if (A.Base != Pointer || !Accept(A.Kind))
    return cudaErrorInvalidValue;
  config().Lenient ? waitDevice() : settleDevice();
  if (!takeAllocation(Pointer, Accept, A))
    return cudaErrorInvalidValue;
  if (A.Kind == MemKind::Managed)
    removeManagedRange(A.Base);
  releaseMemory(A);
  return enter();
}

static cudaError_t mallocAsync(void **Pointer, size_t Bytes, Stream *S) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t Error = enterStream(*S, Use::Queue))
    return Error;
  if (isCapturing(*S))
    return captureAlloc(Pointer, Bytes, *S);
  cudaError_t Error = allocateAt(Pointer, MemKind::Device, Bytes, 0);
  if (Error == cudaSuccess)
    orderLifetime(*Pointer, Bytes, *S);
  return Error;
}

static cudaError_t freeAsync(void *Pointer, Stream *S) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (!Pointer)
    return cudaSuccess;
  if (cudaError_t Error = enterStream(*S, Use::Queue))
    return Error;
  if (isCapturing(*S))
    return captureFree(Pointer, *S);
  Allocation A;
  if (!takeAllocation(
          Pointer, [](MemKind K) { return K == MemKind::Device; }, A))
    return cudaErrorInvalidValue;
  orderLifetime(A.Base, A.Bytes, *S);
  Op *O = makeOp([A] { releaseMemory(A); });
  O->TouchesMemory = false;
  submit(*S, O);
  return cudaSuccess;
}

extern "C" {

cudaError_t cudaMalloc(void **Pointer, size_t Bytes) {
  return riskyApi(Risk::Unsafe, [&] {
    return allocateAt(Pointer, MemKind::Device, Bytes, 0);
  });
}

cudaError_t cudaMallocAsync(void **Pointer, size_t Bytes, cudaStream_t S) {
  return api([&] { return mallocAsync(Pointer, Bytes, findStream(S, false)); });
}
cudaError_t cudaMallocAsync_ptsz(void **Pointer, size_t Bytes, cudaStream_t S) {
  return api([&] { return mallocAsync(Pointer, Bytes, findStream(S, true)); });
}

cudaError_t cudaFreeAsync(void *Pointer, cudaStream_t S) {
  return api([&] { return freeAsync(Pointer, findStream(S, false)); });
}
cudaError_t cudaFreeAsync_ptsz(void *Pointer, cudaStream_t S) {
  return api([&] { return freeAsync(Pointer, findStream(S, true)); });
}

cudaError_t cudaMallocPitch(void **Pointer, size_t *Pitch, size_t Width,
                            size_t Height) {
  return riskyApi(Risk::Unsafe, [&] {
    constexpr size_t Align = 512;
    size_t Bytes = 0;
    if (!Pitch || Width > SIZE_MAX - Align)
      return cudaErrorInvalidValue;
    size_t Padded = (Width + Align - 1) / Align * Align;
    if (__builtin_mul_overflow(Padded, Height, &Bytes))
      return cudaErrorMemoryAllocation;
    cudaError_t Error = allocateAt(Pointer, MemKind::Device, Bytes, 0);
    if (Error == cudaSuccess)
      *Pitch = Padded;
    return Error;
  });
}

cudaError_t cudaMallocHost(void **Pointer, size_t Bytes) {
  return riskyApi(Risk::Unsafe, [&] {
    return allocateAt(Pointer, MemKind::Pinned, Bytes, 0);
  });
}

cudaError_t cudaHostAlloc(void **Pointer, size_t Bytes, unsigned Flags) {
  return riskyApi(Risk::Unsafe, [&] {
    if (Flags & ~(cudaHostAllocPortable | cudaHostAllocMapped |
                  cudaHostAllocWriteCombined))
      return cudaErrorInvalidValue;
    return allocateAt(Pointer, MemKind::Pinned, Bytes, Flags);
  });
}

cudaError_t cudaMallocManaged(void **Pointer, size_t Bytes, unsigned Flags) {
  return riskyApi(Risk::Unsafe, [&] {
    if (!Bytes || (Flags != cudaMemAttachGlobal && Flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    cudaError_t Error = allocateAt(Pointer, MemKind::Managed, Bytes, Flags);
    if (Error == cudaSuccess)
      addManagedRange(*Pointer, Bytes,
                      Flags == cudaMemAttachHost ? Attach::Host
                                                 : Attach::Global);
    return Error;
  });
}

cudaError_t cudaFree(void *Pointer) {
  return riskyApi(Risk::Unsafe, [&] { return freeNow(Pointer, isFreeable); });
}
cudaError_t cudaFreeHost(void *Pointer) {
  return riskyApi(Risk::Unsafe, [&] { return freeNow(Pointer, isHostBlock); });
}

cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  return api([&] {
    if (!Free || !Total)
      return cudaErrorInvalidValue;
    *Total = config().MemoryBytes;
    *Free = *Total - memoryInUse();
    return cudaSuccess;
  });
}

} // extern "C"
