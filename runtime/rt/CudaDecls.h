//===- CudaDecls.h - The CUDA runtime functions echort calls ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declared by hand, as CUDA 11 to 13 declare them, so that echort builds
// without a toolkit and links with any cudart or with the CPU device. It must
// never name a function or a value that differs between those versions.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_CUDADECLS_H
#define ECHO_RUNTIME_RT_CUDADECLS_H

#include <stddef.h>

extern "C" {

using cudaError_t = int;
using cudaStream_t = void *;
using cudaEvent_t = void *;

/// The fields that echort reads; CUDA 13 appends reserved ones.
struct cudaPointerAttributes {
  int type;
  int device;
  void *devicePointer;
  void *hostPointer;
  long reserved[16];
};

cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaPeekAtLastError();
cudaError_t cudaGetLastError();
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags);
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                     const void *pointer);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeHost(void *pointer);

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, int kind);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, int kind,
                            cudaStream_t stream);

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, int *status);
cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags);
}

namespace echo::rt {

// Values of CUDA's enumerations, equal from CUDA 11 to 13.
enum : int {
  CudaSuccess = 0,
  CudaErrorInvalidValue = 1,
  CudaErrorInvalidResourceHandle = 400,
  CudaErrorNotReady = 600,
  CudaErrorHostMemoryNotRegistered = 713,
  // A stream is being captured, and the call may not be made now.
  CudaErrorStreamCaptureUnsupported = 900,
  CudaErrorCapturedEvent = 907,
};
enum : int {
  AttributeMultiprocessors = 16,
  AttributeIntegrated = 18,
  AttributeBusWidth = 37,
  AttributeMajor = 75,
  AttributeMinor = 76,
  AttributePageableMemoryAccess = 88,
  AttributeConcurrentManagedAccess = 89,
  AttributeHostRegister = 99,
  AttributeHostPageTables = 100,
};
enum : unsigned {
  MemAttachGlobal = 1,
  HostAllocPortable = 1,
  HostAllocMapped = 2,
  HostRegisterPortable = 1,
  EventDisableTiming = 2,
};
enum : int { MemoryTypeHost = 1, MemoryTypeDevice = 2, MemoryTypeManaged = 3 };
enum : int { CaptureModeRelaxed = 2 };
enum : int { MemcpyHostToDevice = 1, MemcpyDeviceToHost = 2 };

inline cudaStream_t streamLegacy() { return reinterpret_cast<void *>(0x1); }
inline cudaStream_t streamPerThread() { return reinterpret_cast<void *>(0x2); }

} // namespace echo::rt

#endif
