//===- Handle.cpp - cuBLAS handles and their settings ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates handles and keeps what programs set in them. Math modes, atomics and
// workspaces change nothing here: results are those of full precision.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/Handle.h"
#include "runtime/cpu/HandlePool.h"

#include <algorithm>
#include <mutex>

using namespace echo::cpulibs;

static echo::cpu::HandlePool<cublasContext> &pool() {
  static auto *P = new echo::cpu::HandlePool<cublasContext>;
  return *P;
}

/// OpenBLAS shall not use more threads than the device may.
static void limitThreads() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    int Limit = int(echo_cpu_library_threads());
    openblas_set_num_threads(std::min(openblas_get_num_threads(), Limit));
  });
}

/// Sets or gets \p Field of handle \p H.
template <typename T>
static cublasStatus_t setField(cublasHandle_t H, T cublasContext::*Field,
                               T Value) {
  if (!isAlive(H))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  H->*Field = Value;
  return CUBLAS_STATUS_SUCCESS;
}
template <typename T>
static cublasStatus_t getField(cublasHandle_t H, T cublasContext::*Field,
                               T *Out) {
  if (!isAlive(H))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!Out)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Out = H->*Field;
  return CUBLAS_STATUS_SUCCESS;
}

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t *Out) {
  if (!Out)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Out = nullptr;
  if (echo_cpu_start())
    return CUBLAS_STATUS_NOT_INITIALIZED;
  limitThreads();
  cublasHandle_t H = pool().take();
  H->Stream = nullptr;
  H->PointerMode = CUBLAS_POINTER_MODE_HOST;
  H->MathMode = CUBLAS_DEFAULT_MATH;
  H->AtomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  H->SmCount = 0;
  H->Magic.store(cublasContext::AliveMagic, std::memory_order_release);
  *Out = H;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t H) {
  if (!isAlive(H))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  H->Magic.store(0);
  pool().put(H);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t H, cudaStream_t S) {
  return setField(H, &cublasContext::Stream, S);
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t H, cudaStream_t *S) {
  return getField(H, &cublasContext::Stream, S);
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t H,
                                       cublasPointerMode_t Mode) {
  if (Mode != CUBLAS_POINTER_MODE_HOST && Mode != CUBLAS_POINTER_MODE_DEVICE)
    return CUBLAS_STATUS_INVALID_VALUE;
  return setField(H, &cublasContext::PointerMode, Mode);
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t H,
                                       cublasPointerMode_t *Mode) {
  return getField(H, &cublasContext::PointerMode, Mode);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t H, cublasMath_t Mode) {
  return setField(H, &cublasContext::MathMode, Mode);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t H, cublasMath_t *Mode) {
  return getField(H, &cublasContext::MathMode, Mode);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t H,
                                    cublasAtomicsMode_t Mode) {
  return setField(H, &cublasContext::AtomicsMode, Mode);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t H,
                                    cublasAtomicsMode_t *Mode) {
  return getField(H, &cublasContext::AtomicsMode, Mode);
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t H, int Count) {
  return setField(H, &cublasContext::SmCount, Count);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t H, int *Count) {
  return getField(H, &cublasContext::SmCount, Count);
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t H, void *, size_t) {
  return isAlive(H) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t H, int *Version) {
  if (!isAlive(H))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!Version)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType Type, int *Value) {
  if (!Value)
    return CUBLAS_STATUS_INVALID_VALUE;
  switch (Type) {
  case MAJOR_VERSION:
    *Value = CUBLAS_VER_MAJOR;
    return CUBLAS_STATUS_SUCCESS;
  case MINOR_VERSION:
    *Value = CUBLAS_VER_MINOR;
    return CUBLAS_STATUS_SUCCESS;
  case PATCH_LEVEL:
    *Value = CUBLAS_VER_PATCH;
    return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

size_t cublasGetCudartVersion(void) { return CUDART_VERSION; }

#define STATUSES(X)                                                            \
  X(SUCCESS)                                                                   \
  X(NOT_INITIALIZED)                                                           \
  X(ALLOC_FAILED)                                                              \
  X(INVALID_VALUE)                                                             \
  X(ARCH_MISMATCH)                                                             \
  X(MAPPING_ERROR)                                                             \
  X(EXECUTION_FAILED) X(INTERNAL_ERROR) X(NOT_SUPPORTED) X(LICENSE_ERROR)

const char *cublasGetStatusName(cublasStatus_t Status) {
  switch (Status) {
#define NAME(S)                                                                \
  case CUBLAS_STATUS_##S:                                                      \
    return "CUBLAS_STATUS_" #S;
    STATUSES(NAME)
  }
  return "unknown status";
}

const char *cublasGetStatusString(cublasStatus_t Status) {
  return cublasGetStatusName(Status);
}

} // extern "C"
