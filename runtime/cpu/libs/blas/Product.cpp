//===- Product.cpp - Products of matrices of any types --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses in what type a product is computed, and converts scalars and
// matrices to it and back.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/Product.h"

#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

using namespace echo::cpulibs;

size_t echo::cpulibs::sizeOf(cudaDataType Type) {
  switch (Type) {
  case CUDA_R_8I:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 0;
  }
}

bool echo::cpulibs::choosePath(Product &P, cublasComputeType_t Compute) {
  const cudaDataType In = P.A.Type, Out = P.C.Type;
  if (P.B.Type != In)
    return false;
  switch (Compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    P.ScaleType = CUDA_R_16F;
    P.How = Path::ViaFloat;
    return In == CUDA_R_16F && Out == In;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    P.ScaleType = CUDA_R_32I;
    P.How = Path::ViaDouble;
    return In == CUDA_R_8I && Out == CUDA_R_32I;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    P.ScaleType = In;
    P.How = In == CUDA_C_64F ? Path::Z : Path::D;
    return (In == CUDA_R_64F || In == CUDA_C_64F) && Out == In;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    P.ScaleType = In == CUDA_C_32F ? CUDA_C_32F : CUDA_R_32F;
    P.How = In == CUDA_R_32F   ? Path::S
            : In == CUDA_C_32F ? Path::C
                               : Path::ViaFloat;
    if (In == CUDA_R_32F || In == CUDA_C_32F)
      return Out == In;
    return In == CUDA_R_8I ? Out == CUDA_R_32F
                           : (In == CUDA_R_16F || In == CUDA_R_16BF) &&
                                 (Out == In || Out == CUDA_R_32F);
  default:
    return false;
  }
}

const void *echo::cpulibs::matrixOf(const Matrix &X, int I) {
  if (X.Pointers)
    return static_cast<const void *const *>(X.Data)[I];
  return static_cast<const char *>(X.Data) + I * X.Stride * sizeOf(X.Type);
}

void echo::cpulibs::noteMatrix(Does What, const Matrix &X, int I, int Rows,
                               int Cols) {
  if (X.Pointers)
    note(Does::Read, static_cast<const void *const *>(X.Data) + I,
         sizeof(void *));
  noteMatrix(What, matrixOf(X, I), sizeOf(X.Type), X.RowMajor ? Cols : Rows,
             X.RowMajor ? Rows : Cols, X.Ld);
}

AnyScalar::AnyScalar(bool OnHost, const void *P, cudaDataType Type)
    : Type(Type), Device(OnHost ? nullptr : P) {
  if (Device)
    return;
  note(Does::Read, P, sizeOf(Type));
  memcpy(Host, P, sizeOf(Type));
}

template <typename T, typename From> static T as(From X) {
  if constexpr (IsComplex<T>)
    return T{};
  else
    return T(X);
}

template <typename T> T AnyScalar::get() const {
  if (Device)
    note(Does::Read, Device, sizeOf(Type));
  const void *P = Device ? Device : Host;
  switch (Type) {
  case CUDA_R_16F:
    return as<T>(__half2float(*static_cast<const __half *>(P)));
  case CUDA_R_32F:
    return as<T>(*static_cast<const float *>(P));
  case CUDA_R_32I:
    return as<T>(*static_cast<const int *>(P));
  case CUDA_R_64F:
    return as<T>(*static_cast<const double *>(P));
  default: // The type itself.
    return *static_cast<const T *>(P);
  }
}
#define BLAS_TYPE(L, l, T) template T AnyScalar::get<T>() const;
#include "Types.def"

/// Calls \p Each with the offsets of an element in the matrix and packed.
template <typename Fn>
static void eachElement(const Matrix &X, int Rows, int Cols, Fn Each) {
  const size_t Down = X.RowMajor ? X.Ld : 1, Across = X.RowMajor ? 1 : X.Ld;
  for (int J = 0; J != Cols; ++J)
    for (int I = 0; I != Rows; ++I)
      Each(I * Down + J * Across, I + size_t(J) * Rows);
}

template <typename T>
void echo::cpulibs::load(const Matrix &Of, int I, int Rows, int Cols, T *To) {
  noteMatrix(Does::Read, Of, I, Rows, Cols);
  const void *From = matrixOf(Of, I);
  auto With = [&](auto Read) {
    eachElement(Of, Rows, Cols,
                [&](size_t At, size_t Packed) { To[Packed] = T(Read(At)); });
  };
  switch (Of.Type) {
  case CUDA_R_16F:
    return With([&](size_t I) {
      return __half2float(static_cast<const __half *>(From)[I]);
    });
  case CUDA_R_16BF:
    return With([&](size_t I) {
      return __bfloat162float(static_cast<const __nv_bfloat16 *>(From)[I]);
    });
  case CUDA_R_8I:
    return With([&](size_t I) { return static_cast<const int8_t *>(From)[I]; });
  case CUDA_R_32I:
    return With(
        [&](size_t I) { return static_cast<const int32_t *>(From)[I]; });
  case CUDA_R_64F:
    return With([&](size_t I) { return static_cast<const double *>(From)[I]; });
  default:
    return With([&](size_t I) { return static_cast<const float *>(From)[I]; });
  }
}

template <typename T>
void echo::cpulibs::store(const Matrix &Of, int I, int Rows, int Cols,
                          const T *From) {
  noteMatrix(Does::Write, Of, I, Rows, Cols);
  void *To = const_cast<void *>(matrixOf(Of, I));
  auto With = [&](auto Write) {
    eachElement(Of, Rows, Cols,
                [&](size_t At, size_t Packed) { Write(At, From[Packed]); });
  };
  switch (Of.Type) {
  case CUDA_R_16F:
    return With([&](size_t I, T X) {
      static_cast<__half *>(To)[I] = __float2half(float(X));
    });
  case CUDA_R_16BF:
    return With([&](size_t I, T X) {
      static_cast<__nv_bfloat16 *>(To)[I] = __float2bfloat16(float(X));
    });
  case CUDA_R_32I:
    // As 32-bit sums wrap around.
    return With([&](size_t I, T X) {
      static_cast<int32_t *>(To)[I] = int32_t(uint32_t(int64_t(X)));
    });
  case CUDA_R_64F:
    return With([&](size_t I, T X) { static_cast<double *>(To)[I] = X; });
  default:
    return With([&](size_t I, T X) { static_cast<float *>(To)[I] = float(X); });
  }
}

#define REAL_TYPE(L, l, T)                                                     \
  template void echo::cpulibs::load(const Matrix &, int, int, int, T *);       \
  template void echo::cpulibs::store(const Matrix &, int, int, int, const T *);
#include "Types.def"
