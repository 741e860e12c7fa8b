//===- PointerApi.cpp - Registration and questions about pointers ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaHostRegister, pointer attributes, hints. Answers come from the registry.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/graphs/Capture.h"

using namespace echo::cpu;

/// CUDA's number for "no device".
static constexpr int InvalidDevice = -2;

static cudaError_t hostRegister(void *Pointer, size_t Bytes, unsigned Flags) {
  if (!attribute(Attr::HostRegisterSupported))
    return cudaErrorNotSupported;
  if (!Pointer || !Bytes ||
      (Flags & ~(cudaHostRegisterPortable | cudaHostRegisterMapped |
                 cudaHostRegisterIoMemory | cudaHostRegisterReadOnly)))
    return cudaErrorInvalidValue;
  if ((Flags & cudaHostRegisterReadOnly) &&
      !attribute(Attr::HostRegisterReadOnlySupported))
    return cudaErrorNotSupported;
  Allocation A;
  A.Base = static_cast<char *>(Pointer);
  A.Bytes = Bytes;
  A.Kind = MemKind::Registered;
  A.Flags = Flags;
  return addRange(A) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
}

static cudaError_t hostUnregister(void *Pointer) {
  auto isRegistered = [](MemKind K) { return K == MemKind::Registered; };
  Allocation A = findAllocation(Pointer);
  if (A.Kind != MemKind::Registered)
    return cudaErrorHostMemoryNotRegistered;
  if (A.Base != Pointer)
    return cudaErrorInvalidValue;
  config().Lenient ? waitDevice() : settleDevice();
  return takeAllocation(Pointer, isRegistered, A)
             ? enter()
             : cudaErrorHostMemoryNotRegistered;
}

static cudaMemoryType typeOf(MemKind Kind) {
  switch (Kind) {
  case MemKind::Pageable:
    return cudaMemoryTypeUnregistered;
  case MemKind::Pinned:
  case MemKind::Registered:
    return cudaMemoryTypeHost;
  case MemKind::Managed:
  case MemKind::ManagedVariable:
    return cudaMemoryTypeManaged;
  case MemKind::Device:
  case MemKind::Variable:
    break;
  }
  return cudaMemoryTypeDevice;
}

static cudaError_t attach(Stream *S, cudaStream_t Handle, void *Pointer,
                          size_t Bytes, unsigned Flags) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t Error = enterStream(*S, Use::Other))
    return Error;
  Allocation A = findAllocation(Pointer);
  bool Whole = A.Base == Pointer && (!Bytes || Bytes == A.Bytes);
  if (!isManaged(A.Kind) || !Whole)
    return cudaErrorInvalidValue;
  Attach How;
  switch (Flags) {
  case cudaMemAttachGlobal:
    How = Attach::Global;
    break;
  case cudaMemAttachHost:
    How = Attach::Host;
    break;
  case cudaMemAttachSingle:
    if (S->Legacy || !Handle)
      return cudaErrorInvalidValue;
    How = Attach::Single;
    break;
  default:
    return cudaErrorInvalidValue;
  }
  // The host may touch a variable any time: it is never protected.
  if (A.Kind == MemKind::ManagedVariable)
    return cudaSuccess;
  Op *O = makeOp([=] { attachManagedRange(A.Base, How, S); });
  O->TouchesMemory = false;
  submit(*S, O);
  return cudaSuccess;
}

/// A hint about [P, P + Bytes): right or wrong, it moves nothing here.
static cudaError_t checkHint(const void *P, size_t Bytes) {
  Allocation A = findAllocation(P);
  if (!P || !Bytes)
    return cudaErrorInvalidValue;
  if (isManaged(A.Kind))
    return static_cast<const char *>(P) + Bytes <= A.Base + A.Bytes
               ? cudaSuccess
               : cudaErrorInvalidValue;
  if (A.Kind == MemKind::Pageable && attribute(Attr::PageableMemoryAccess))
    return cudaSuccess;
  return cudaErrorInvalidValue;
}

static cudaError_t prefetch(const void *P, size_t Bytes, Stream *S) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t Error = enterStream(*S, Use::Other))
    return Error;
  if (!attribute(Attr::ConcurrentManagedAccess))
    return cudaErrorInvalidDevice;
  return checkHint(P, Bytes);
}

extern "C" {

cudaError_t cudaHostRegister(void *Pointer, size_t Bytes, unsigned Flags) {
  return riskyApi(Risk::Unsafe,
                  [&] { return hostRegister(Pointer, Bytes, Flags); });
}
cudaError_t cudaHostUnregister(void *Pointer) {
  return riskyApi(Risk::Unsafe, [&] { return hostUnregister(Pointer); });
}

cudaError_t cudaHostGetDevicePointer(void **Device, void *Host,
                                     unsigned Flags) {
  return api([&] {
    if (!Device || Flags || !isPinned(findAllocation(Host).Kind))
      return cudaErrorInvalidValue;
    *Device = Host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned *Flags, void *Host) {
  return api([&] {
    Allocation A = findAllocation(Host);
    if (!Flags || !isPinned(A.Kind))
      return cudaErrorInvalidValue;
    // All host memory is mapped on a device with unified addressing.
    *Flags = A.Flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *Out,
                                     const void *Pointer) {
  return api([&] {
    if (!Out || !Pointer)
      return cudaErrorInvalidValue;
    Allocation A = findAllocation(Pointer);
    auto *P = const_cast<void *>(Pointer);
    bool Known = A.Kind != MemKind::Pageable;
    bool Reachable = Known || attribute(Attr::PageableMemoryAccess);
    Out->type = typeOf(A.Kind);
    Out->device = Known ? 0 : InvalidDevice;
    Out->devicePointer = Reachable ? P : nullptr;
    Out->hostPointer = isDeviceOnly(A.Kind) ? nullptr : P;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t S, void *P, size_t Bytes,
                                     unsigned Flags) {
  return api([&] { return attach(findStream(S, false), S, P, Bytes, Flags); });
}
cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t S, void *P, size_t Bytes,
                                          unsigned Flags) {
  return api([&] { return attach(findStream(S, true), S, P, Bytes, Flags); });
}

#if ECHO_CUDA_VERSION >= 13000
cudaError_t cudaMemAdvise(const void *P, size_t Bytes, int Advice,
                          cudaMemLocation) {
#else
cudaError_t cudaMemAdvise(const void *P, size_t Bytes, int Advice, int) {
#endif
  return riskyApi(Risk::Unsafe, [&] {
    if (Advice < 1 || Advice > 6)
      return cudaErrorInvalidValue;
    return checkHint(P, Bytes);
  });
}

#if ECHO_CUDA_VERSION >= 13000
#define PREFETCH_TARGET cudaMemLocation, unsigned
#else
#define PREFETCH_TARGET int
#endif
cudaError_t cudaMemPrefetchAsync(const void *P, size_t Bytes, PREFETCH_TARGET,
                                 cudaStream_t S) {
  return api([&] { return prefetch(P, Bytes, findStream(S, false)); });
}
cudaError_t cudaMemPrefetchAsync_ptsz(const void *P, size_t Bytes,
                                      PREFETCH_TARGET, cudaStream_t S) {
  return api([&] { return prefetch(P, Bytes, findStream(S, true)); });
}

} // extern "C"
