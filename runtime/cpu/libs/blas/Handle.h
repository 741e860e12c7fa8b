//===- Handle.h - cuBLAS handles, checks and scalars ---------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every function of cuBLAS shares: is the handle alive, are the arguments
// what cuBLAS accepts, when is a scalar read (host memory: at the call; device
// memory: when the work runs), and in which stream does the work run.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_BLAS_HANDLE_H
#define ECHO_RUNTIME_CPU_LIBS_BLAS_HANDLE_H

#include "runtime/cpu/libs/common/Accesses.h"
#include "runtime/cpu/libs/common/Work.h"

#include <atomic>
#include <cblas.h>
#include <cstdint>
#include <cublas_v2.h>
#include <type_traits>

struct cublasContext {
  static constexpr uint64_t AliveMagic = 0x73616c6275634563;
  std::atomic<uint64_t> Magic{0};
  cudaStream_t Stream = nullptr;
  cublasPointerMode_t PointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t MathMode = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t AtomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  int SmCount = 0;
};

namespace echo::cpulibs {

inline bool isAlive(cublasHandle_t H) {
  return H && reinterpret_cast<uintptr_t>(H) % alignof(cublasContext) == 0 &&
         H->Magic.load(std::memory_order_acquire) == cublasContext::AliveMagic;
}

inline bool onHost(cublasHandle_t H) {
  return H->PointerMode == CUBLAS_POINTER_MODE_HOST;
}

inline cublasStatus_t toStatus(int CudaError) {
  if (CudaError == OutOfMemory)
    return CUBLAS_STATUS_ALLOC_FAILED;
  return CudaError ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

/// The common type of real parts.
template <typename T> struct RealOf {
  using Type = T;
};
template <> struct RealOf<cuComplex> {
  using Type = float;
};
template <> struct RealOf<cuDoubleComplex> {
  using Type = double;
};
template <typename T>
inline constexpr bool IsComplex = !std::is_same_v<T, typename RealOf<T>::Type>;

template <typename T> bool isZero(const T &X) {
  if constexpr (IsComplex<T>)
    return X.x == 0 && X.y == 0;
  else
    return X == 0;
}

/// alpha or beta, as the pointer mode says where it is.
template <typename T> class Scalar {
public:
  Scalar(cublasHandle_t H, const T *P)
      : Device(isAlive(H) && onHost(H) ? nullptr : P) {
    if (!Device && P) {
      note(Does::Read, P, sizeof *P);
      Value = *P;
    }
  }
  const T &get() const { return Device ? *Device : Value; }
  /// As CBLAS takes it: real numbers by value, complex ones by address.
  auto arg() const {
    if (Device)
      note(Does::Read, Device, sizeof *Device);
    if constexpr (IsComplex<T>)
      return static_cast<const void *>(&get());
    else
      return get();
  }
  bool isZero() const { return cpulibs::isZero(get()); }

private:
  T Value{};
  const T *Device;
};

// Arguments that cuBLAS accepts.
inline bool isOp(cublasOperation_t Op) {
  return Op == CUBLAS_OP_N || Op == CUBLAS_OP_T || Op == CUBLAS_OP_C;
}
inline bool isFill(cublasFillMode_t Fill) {
  return Fill == CUBLAS_FILL_MODE_LOWER || Fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool isDiag(cublasDiagType_t Diag) {
  return Diag == CUBLAS_DIAG_NON_UNIT || Diag == CUBLAS_DIAG_UNIT;
}
inline bool isSide(cublasSideMode_t Side) {
  return Side == CUBLAS_SIDE_LEFT || Side == CUBLAS_SIDE_RIGHT;
}
/// May a matrix of \p Rows have this leading dimension?
inline bool isLd(int Ld, int Rows) { return Ld >= (Rows > 1 ? Rows : 1); }
/// Are all of these (sizes, increments) not negative / none zero?
template <typename... Ts> bool areSizes(Ts... Sizes) {
  return ((Sizes >= 0) && ...);
}

// The same in CBLAS's words.
inline CBLAS_TRANSPOSE toCblas(cublasOperation_t Op) {
  return Op == CUBLAS_OP_N   ? CblasNoTrans
         : Op == CUBLAS_OP_T ? CblasTrans
                             : CblasConjTrans;
}
inline CBLAS_UPLO toCblas(cublasFillMode_t Fill) {
  return Fill == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}
inline CBLAS_DIAG toCblas(cublasDiagType_t Diag) {
  return Diag == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}
inline CBLAS_SIDE toCblas(cublasSideMode_t Side) {
  return Side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}

/// Queues \p Body in the handle's stream if the arguments are \p Valid.
template <typename Fn>
[[gnu::always_inline]] inline cublasStatus_t enqueue(cublasHandle_t H,
                                                     bool Valid, Fn Body) {
  if (!isAlive(H))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!Valid)
    return CUBLAS_STATUS_INVALID_VALUE;
  return toStatus(queueWork(H->Stream, false, std::move(Body)));
}

/// The same for work that gives the program a number: with results in host
/// memory the call returns when it is there.
template <typename Fn>
[[gnu::always_inline]] inline cublasStatus_t
enqueueResult(cublasHandle_t H, bool Valid, Fn Body) {
  if (!isAlive(H))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!Valid)
    return CUBLAS_STATUS_INVALID_VALUE;
  return toStatus(queueWork(H->Stream, onHost(H), std::move(Body)));
}

} // namespace echo::cpulibs

#endif
