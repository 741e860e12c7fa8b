//===- HandleApi.cpp - cuDNN handles and versions -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates handles, which hold a stream, and says what the library is.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/HandlePool.h"
#include "runtime/cpu/libs/dnn/Descriptors.h"

using namespace echo::cpulibs;

static echo::cpu::HandlePool<cudnnContext> &pool() {
  static auto *P = new echo::cpu::HandlePool<cudnnContext>;
  return *P;
}

extern "C" {

cudnnStatus_t cudnnCreate(cudnnHandle_t *Out) {
  if (!Out)
    return CUDNN_STATUS_BAD_PARAM;
  if (echo_cpu_start())
    return CUDNN_STATUS_NOT_INITIALIZED;
  cudnnHandle_t H = pool().take();
  H->Stream = nullptr;
  H->Magic.store(cudnnContext::AliveMagic, std::memory_order_release);
  *Out = H;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t H) {
  if (!isAlive(H))
    return CUDNN_STATUS_NOT_INITIALIZED;
  H->Magic.store(0);
  pool().put(H);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t H, cudaStream_t S) {
  if (!isAlive(H))
    return CUDNN_STATUS_NOT_INITIALIZED;
  H->Stream = S;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t H, cudaStream_t *S) {
  if (!isAlive(H))
    return CUDNN_STATUS_NOT_INITIALIZED;
  if (!S)
    return CUDNN_STATUS_BAD_PARAM;
  *S = H->Stream;
  return CUDNN_STATUS_SUCCESS;
}

size_t cudnnGetVersion(void) { return CUDNN_VERSION; }

size_t cudnnGetCudartVersion(void) { return CUDART_VERSION; }

cudnnStatus_t cudnnGetProperty(libraryPropertyType Type, int *Value) {
  if (!Value)
    return CUDNN_STATUS_BAD_PARAM;
  switch (Type) {
  case MAJOR_VERSION:
    *Value = CUDNN_MAJOR;
    return CUDNN_STATUS_SUCCESS;
  case MINOR_VERSION:
    *Value = CUDNN_MINOR;
    return CUDNN_STATUS_SUCCESS;
  case PATCH_LEVEL:
    *Value = CUDNN_PATCHLEVEL;
    return CUDNN_STATUS_SUCCESS;
  }
  return CUDNN_STATUS_BAD_PARAM;
}

const char *cudnnGetErrorString(cudnnStatus_t Status) {
  switch (Status) {
#define NAME(S)                                                                \
  case CUDNN_STATUS_##S:                                                       \
    return "CUDNN_STATUS_" #S;
    NAME(SUCCESS)
    NAME(NOT_INITIALIZED)
    NAME(ALLOC_FAILED)
    NAME(BAD_PARAM)
    NAME(INTERNAL_ERROR)
    NAME(NOT_SUPPORTED)
    NAME(EXECUTION_FAILED)
  default:
    return "CUDNN_UNKNOWN_STATUS";
  }
}

} // extern "C"
