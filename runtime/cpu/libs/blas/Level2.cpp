//===- Level2.cpp - Matrix times vector -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Level 2 of BLAS, on OpenBLAS. What a zero beta overwrites is not read.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/Operands.h"

#include <cstdlib>

using namespace echo::cpulibs;

/// A vector that beta = 0 overwrites holds nothing that could survive, not even
/// a NaN.
template <typename T>
static void clearFor(const Scalar<T> &Beta, int N, T *Y, int IncY) {
  if (Beta.isZero())
    for (int I = 0; I < N; ++I)
      Y[ptrdiff_t(I) * abs(IncY)] = T{};
}

extern "C" {

#define BLAS_TYPE(L, l, T)                                                     \
  ECHO_FOLLOWED(cublas##L##gemv_v2)                                            \
  cublasStatus_t cublas##L##gemv_v2(cublasHandle_t H, cublasOperation_t Op,    \
                                    int M, int N, const T *Alpha, const T *A,  \
                                    int LdA, const T *X, int IncX,             \
                                    const T *Beta, T *Y, int IncY) {           \
    bool Valid = isOp(Op) && areSizes(M, N) && Alpha && Beta && IncX &&        \
                 IncY && isLd(LdA, M);                                         \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          if (M > 0 && N > 0) {                                                \
            const bool Plain = Op == CUBLAS_OP_N;                              \
            if (!Alpha.isZero()) {                                             \
              noteMatrix(Does::Read, A, M, N, LdA);                            \
              noteVector(Does::Read, X, Plain ? N : M, IncX);                  \
            }                                                                  \
            if (!Beta.isZero())                                                \
              noteVector(Does::Read, Y, Plain ? M : N, IncY);                  \
            noteVector(Does::Write, Y, Plain ? M : N, IncY);                   \
          }                                                                    \
          clearFor(Beta, Op == CUBLAS_OP_N ? M : N, Y, IncY);                  \
          cblas_##l##gemv(CblasColMajor, toCblas(Op), M, N, Alpha.arg(), A,    \
                          LdA, X, IncX, Beta.arg(), Y, IncY);                  \
        });                                                                    \
  }                                                                            \
  cublasStatus_t cublas##L##gbmv_v2(                                           \
      cublasHandle_t H, cublasOperation_t Op, int M, int N, int Kl, int Ku,    \
      const T *Alpha, const T *A, int LdA, const T *X, int IncX,               \
      const T *Beta, T *Y, int IncY) {                                         \
    bool Valid = isOp(Op) && areSizes(M, N, Kl, Ku) && Alpha && Beta &&        \
                 IncX && IncY && isLd(LdA, Kl + Ku + 1);                       \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          clearFor(Beta, Op == CUBLAS_OP_N ? M : N, Y, IncY);                  \
          cblas_##l##gbmv(CblasColMajor, toCblas(Op), M, N, Kl, Ku,            \
                          Alpha.arg(), A, LdA, X, IncX, Beta.arg(), Y, IncY);  \
        });                                                                    \
  }
#include "Types.def"

// Triangular matrices: full, banded and packed; products and solutions.
#define TRIANGULAR(L, l, T, NAME)                                              \
  ECHO_FOLLOWED(cublas##L##NAME##_v2)                                          \
  cublasStatus_t cublas##L##NAME##_v2(                                         \
      cublasHandle_t H, cublasFillMode_t Fill, cublasOperation_t Op,           \
      cublasDiagType_t Diag, int N, const T *A, int LdA, T *X, int IncX) {     \
    bool Valid = isFill(Fill) && isOp(Op) && isDiag(Diag) && areSizes(N) &&    \
                 IncX && isLd(LdA, N);                                         \
    return enqueue(H, Valid, [=] {                                             \
      noteTriangle(Does::Read, Fill, A, N, LdA, Diag == CUBLAS_DIAG_UNIT);     \
      updateVector(X, N, IncX);                                                \
      cblas_##l##NAME(CblasColMajor, toCblas(Fill), toCblas(Op),               \
                      toCblas(Diag), N, A, LdA, X, IncX);                      \
    });                                                                        \
  }
#define TRIANGULAR_BANDED(L, l, T, NAME)                                       \
  cublasStatus_t cublas##L##NAME##_v2(cublasHandle_t H, cublasFillMode_t Fill, \
                                      cublasOperation_t Op,                    \
                                      cublasDiagType_t Diag, int N, int K,     \
                                      const T *A, int LdA, T *X, int IncX) {   \
    bool Valid = isFill(Fill) && isOp(Op) && isDiag(Diag) && areSizes(N, K) && \
                 IncX && isLd(LdA, K + 1);                                     \
    return enqueue(H, Valid, [=] {                                             \
      cblas_##l##NAME(CblasColMajor, toCblas(Fill), toCblas(Op),               \
                      toCblas(Diag), N, K, A, LdA, X, IncX);                   \
    });                                                                        \
  }
#define TRIANGULAR_PACKED(L, l, T, NAME)                                       \
  cublasStatus_t cublas##L##NAME##_v2(                                         \
      cublasHandle_t H, cublasFillMode_t Fill, cublasOperation_t Op,           \
      cublasDiagType_t Diag, int N, const T *A, T *X, int IncX) {              \
    bool Valid =                                                               \
        isFill(Fill) && isOp(Op) && isDiag(Diag) && areSizes(N) && IncX;       \
    return enqueue(H, Valid, [=] {                                             \
      cblas_##l##NAME(CblasColMajor, toCblas(Fill), toCblas(Op),               \
                      toCblas(Diag), N, A, X, IncX);                           \
    });                                                                        \
  }
#define BLAS_TYPE(L, l, T)                                                     \
  TRIANGULAR(L, l, T, trmv)                                                    \
  TRIANGULAR(L, l, T, trsv)                                                    \
  TRIANGULAR_BANDED(L, l, T, tbmv)                                             \
  TRIANGULAR_BANDED(L, l, T, tbsv)                                             \
  TRIANGULAR_PACKED(L, l, T, tpmv)                                             \
  TRIANGULAR_PACKED(L, l, T, tpsv)
#include "Types.def"

// y = alpha A x + beta y, where A is symmetric or Hermitian.
#define SYMMETRIC(L, l, T, NAME)                                               \
  ECHO_FOLLOWED(cublas##L##NAME##_v2)                                          \
  cublasStatus_t cublas##L##NAME##_v2(cublasHandle_t H, cublasFillMode_t Fill, \
                                      int N, const T *Alpha, const T *A,       \
                                      int LdA, const T *X, int IncX,           \
                                      const T *Beta, T *Y, int IncY) {         \
    bool Valid = isFill(Fill) && areSizes(N) && Alpha && Beta && IncX &&       \
                 IncY && isLd(LdA, N);                                         \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          if (N > 0 && !Alpha.isZero()) {                                      \
            noteTriangle(Does::Read, Fill, A, N, LdA);                         \
            noteVector(Does::Read, X, N, IncX);                                \
          }                                                                    \
          if (!Beta.isZero())                                                  \
            noteVector(Does::Read, Y, N, IncY);                                \
          noteVector(Does::Write, Y, N, IncY);                                 \
          clearFor(Beta, N, Y, IncY);                                          \
          cblas_##l##NAME(CblasColMajor, toCblas(Fill), N, Alpha.arg(), A,     \
                          LdA, X, IncX, Beta.arg(), Y, IncY);                  \
        });                                                                    \
  }
#define SYMMETRIC_BANDED(L, l, T, NAME)                                        \
  cublasStatus_t cublas##L##NAME##_v2(                                         \
      cublasHandle_t H, cublasFillMode_t Fill, int N, int K, const T *Alpha,   \
      const T *A, int LdA, const T *X, int IncX, const T *Beta, T *Y,          \
      int IncY) {                                                              \
    bool Valid = isFill(Fill) && areSizes(N, K) && Alpha && Beta && IncX &&    \
                 IncY && isLd(LdA, K + 1);                                     \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          clearFor(Beta, N, Y, IncY);                                          \
          cblas_##l##NAME(CblasColMajor, toCblas(Fill), N, K, Alpha.arg(), A,  \
                          LdA, X, IncX, Beta.arg(), Y, IncY);                  \
        });                                                                    \
  }
#define SYMMETRIC_PACKED(L, l, T, NAME)                                        \
  cublasStatus_t cublas##L##NAME##_v2(                                         \
      cublasHandle_t H, cublasFillMode_t Fill, int N, const T *Alpha,          \
      const T *A, const T *X, int IncX, const T *Beta, T *Y, int IncY) {       \
    bool Valid = isFill(Fill) && areSizes(N) && Alpha && Beta && IncX && IncY; \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          clearFor(Beta, N, Y, IncY);                                          \
          cblas_##l##NAME(CblasColMajor, toCblas(Fill), N, Alpha.arg(), A, X,  \
                          IncX, Beta.arg(), Y, IncY);                          \
        });                                                                    \
  }
#define REAL_TYPE(L, l, T)                                                     \
  SYMMETRIC(L, l, T, symv)                                                     \
  SYMMETRIC_BANDED(L, l, T, sbmv)                                              \
  SYMMETRIC_PACKED(L, l, T, spmv)
#include "Types.def"
#define COMPLEX_TYPE(L, l, T, RL, rl, R)                                       \
  SYMMETRIC(L, l, T, hemv)                                                     \
  SYMMETRIC_BANDED(L, l, T, hbmv)                                              \
  SYMMETRIC_PACKED(L, l, T, hpmv)
#include "Types.def"

// A = alpha x y' + A.
#define RANK_1(L, l, T, NAME)                                                  \
  ECHO_FOLLOWED(cublas##L##NAME##_v2)                                          \
  cublasStatus_t cublas##L##NAME##_v2(cublasHandle_t H, int M, int N,          \
                                      const T *Alpha, const T *X, int IncX,    \
                                      const T *Y, int IncY, T *A, int LdA) {   \
    bool Valid = areSizes(M, N) && Alpha && IncX && IncY && isLd(LdA, M);      \
    return enqueue(H, Valid, [=, Alpha = Scalar(H, Alpha)] {                   \
      if (M > 0 && N > 0 && !Alpha.isZero()) {                                 \
        noteVector(Does::Read, X, M, IncX);                                    \
        noteVector(Does::Read, Y, N, IncY);                                    \
        updateMatrix(A, M, N, LdA);                                            \
      }                                                                        \
      cblas_##l##NAME(CblasColMajor, M, N, Alpha.arg(), X, IncX, Y, IncY, A,   \
                      LdA);                                                    \
    });                                                                        \
  }
#define REAL_TYPE(L, l, T) RANK_1(L, l, T, ger)
#include "Types.def"
#define COMPLEX_TYPE(L, l, T, RL, rl, R)                                       \
  RANK_1(L, l, T, geru)                                                        \
  RANK_1(L, l, T, gerc)
#include "Types.def"

// A = alpha x x' + A in one triangle, full and packed; S is alpha's type.
#define UPDATE(L, l, T, S, NAME)                                               \
  ECHO_FOLLOWED(cublas##L##NAME##_v2)                                          \
  cublasStatus_t cublas##L##NAME##_v2(cublasHandle_t H, cublasFillMode_t Fill, \
                                      int N, const S *Alpha, const T *X,       \
                                      int IncX, T *A, int LdA) {               \
    bool Valid = isFill(Fill) && areSizes(N) && Alpha && IncX && isLd(LdA, N); \
    return enqueue(H, Valid, [=, Alpha = Scalar(H, Alpha)] {                   \
      noteVector(Does::Read, X, N, IncX);                                      \
      updateTriangle(Fill, A, N, LdA);                                         \
      cblas_##l##NAME(CblasColMajor, toCblas(Fill), N, Alpha.arg(), X, IncX,   \
                      A, LdA);                                                 \
    });                                                                        \
  }
#define UPDATE_PACKED(L, l, T, S, NAME)                                        \
  cublasStatus_t cublas##L##NAME##_v2(cublasHandle_t H, cublasFillMode_t Fill, \
                                      int N, const S *Alpha, const T *X,       \
                                      int IncX, T *A) {                        \
    bool Valid = isFill(Fill) && areSizes(N) && Alpha && IncX;                 \
    return enqueue(H, Valid, [=, Alpha = Scalar(H, Alpha)] {                   \
      cblas_##l##NAME(CblasColMajor, toCblas(Fill), N, Alpha.arg(), X, IncX,   \
                      A);                                                      \
    });                                                                        \
  }
// A = alpha x y' + alpha y x' + A likewise.
#define UPDATE_2(L, l, T, NAME)                                                \
  ECHO_FOLLOWED(cublas##L##NAME##_v2)                                          \
  cublasStatus_t cublas##L##NAME##_v2(                                         \
      cublasHandle_t H, cublasFillMode_t Fill, int N, const T *Alpha,          \
      const T *X, int IncX, const T *Y, int IncY, T *A, int LdA) {             \
    bool Valid =                                                               \
        isFill(Fill) && areSizes(N) && Alpha && IncX && IncY && isLd(LdA, N);  \
    return enqueue(H, Valid, [=, Alpha = Scalar(H, Alpha)] {                   \
      if (!Alpha.isZero()) {                                                   \
        noteVector(Does::Read, X, N, IncX);                                    \
        noteVector(Does::Read, Y, N, IncY);                                    \
        updateTriangle(Fill, A, N, LdA);                                       \
      }                                                                        \
      cblas_##l##NAME(CblasColMajor, toCblas(Fill), N, Alpha.arg(), X, IncX,   \
                      Y, IncY, A, LdA);                                        \
    });                                                                        \
  }
#define UPDATE_2_PACKED(L, l, T, NAME)                                         \
  cublasStatus_t cublas##L##NAME##_v2(cublasHandle_t H, cublasFillMode_t Fill, \
                                      int N, const T *Alpha, const T *X,       \
                                      int IncX, const T *Y, int IncY, T *A) {  \
    bool Valid = isFill(Fill) && areSizes(N) && Alpha && IncX && IncY;         \
    return enqueue(H, Valid, [=, Alpha = Scalar(H, Alpha)] {                   \
      cblas_##l##NAME(CblasColMajor, toCblas(Fill), N, Alpha.arg(), X, IncX,   \
                      Y, IncY, A);                                             \
    });                                                                        \
  }
#define REAL_TYPE(L, l, T)                                                     \
  UPDATE(L, l, T, T, syr)                                                      \
  UPDATE_PACKED(L, l, T, T, spr)                                               \
  UPDATE_2(L, l, T, syr2)                                                      \
  UPDATE_2_PACKED(L, l, T, spr2)
#include "Types.def"
#define COMPLEX_TYPE(L, l, T, RL, rl, R)                                       \
  UPDATE(L, l, T, R, her)                                                      \
  UPDATE_PACKED(L, l, T, R, hpr)                                               \
  UPDATE_2(L, l, T, her2)                                                      \
  UPDATE_2_PACKED(L, l, T, hpr2)
#include "Types.def"

} // extern "C"
