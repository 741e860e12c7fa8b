//===- Level3.cpp - Matrix times matrix -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Level 3 of BLAS, on OpenBLAS. What a zero beta overwrites is not read.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/Operands.h"

using namespace echo::cpulibs;

extern "C" {

// C = alpha op(A) op(B) + beta C. FUNCTION is what cuBLAS calls it, NAME BLAS.
#define MULTIPLY(l, T, FUNCTION, NAME)                                         \
  ECHO_FOLLOWED(FUNCTION)                                                      \
  cublasStatus_t FUNCTION(cublasHandle_t H, cublasOperation_t TA,              \
                          cublasOperation_t TB, int M, int N, int K,           \
                          const T *Alpha, const T *A, int LdA, const T *B,     \
                          int LdB, const T *Beta, T *C, int LdC) {             \
    bool Valid = isOp(TA) && isOp(TB) && areSizes(M, N, K) && Alpha && Beta && \
                 isLd(LdA, TA == CUBLAS_OP_N ? M : K) &&                       \
                 isLd(LdB, TB == CUBLAS_OP_N ? K : N) && isLd(LdC, M);         \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          noteProduct(TA, TB, M, N, K, !Alpha.isZero(), A, sizeof(T), LdA, B,  \
                      sizeof(T), LdB, !Beta.isZero(), C, sizeof(T), LdC);      \
          cblas_##l##NAME(CblasColMajor, toCblas(TA), toCblas(TB), M, N, K,    \
                          Alpha.arg(), A, LdA, B, LdB, Beta.arg(), C, LdC);    \
        });                                                                    \
  }
#define BLAS_TYPE(L, l, T) MULTIPLY(l, T, cublas##L##gemm_v2, gemm)
#include "Types.def"
#define COMPLEX_TYPE(L, l, T, RL, rl, R)                                       \
  MULTIPLY(l, T, cublas##L##gemm3m, gemm3m)
#include "Types.def"

// C = alpha A B + beta C or alpha B A + beta C, where A is symmetric.
#define MULTIPLY_SYMMETRIC(L, l, T, NAME)                                      \
  ECHO_FOLLOWED(cublas##L##NAME##_v2)                                          \
  cublasStatus_t cublas##L##NAME##_v2(                                         \
      cublasHandle_t H, cublasSideMode_t Side, cublasFillMode_t Fill, int M,   \
      int N, const T *Alpha, const T *A, int LdA, const T *B, int LdB,         \
      const T *Beta, T *C, int LdC) {                                          \
    bool Valid = isSide(Side) && isFill(Fill) && areSizes(M, N) && Alpha &&    \
                 Beta && isLd(LdA, Side == CUBLAS_SIDE_LEFT ? M : N) &&        \
                 isLd(LdB, M) && isLd(LdC, M);                                 \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          if (M > 0 && N > 0) {                                                \
            if (!Alpha.isZero()) {                                             \
              noteTriangle(Does::Read, Fill, A,                                \
                           Side == CUBLAS_SIDE_LEFT ? M : N, LdA);             \
              noteMatrix(Does::Read, B, M, N, LdB);                            \
            }                                                                  \
            noteResult(!Beta.isZero(), C, M, N, LdC);                          \
          }                                                                    \
          cblas_##l##NAME(CblasColMajor, toCblas(Side), toCblas(Fill), M, N,   \
                          Alpha.arg(), A, LdA, B, LdB, Beta.arg(), C, LdC);    \
        });                                                                    \
  }
#define BLAS_TYPE(L, l, T) MULTIPLY_SYMMETRIC(L, l, T, symm)
#include "Types.def"
#define COMPLEX_TYPE(L, l, T, RL, rl, R) MULTIPLY_SYMMETRIC(L, l, T, hemm)
#include "Types.def"

// C = alpha A A' + beta C. OTHER is the transposition that the function takes
// beside none; for real numbers it may be called either.
#define RANK_K(L, l, T, S, NAME, OTHER)                                        \
  ECHO_FOLLOWED(cublas##L##NAME##_v2)                                          \
  cublasStatus_t cublas##L##NAME##_v2(cublasHandle_t H, cublasFillMode_t Fill, \
                                      cublasOperation_t Op, int N, int K,      \
                                      const S *Alpha, const T *A, int LdA,     \
                                      const S *Beta, T *C, int LdC) {          \
    bool Valid = isFill(Fill) && areSizes(N, K) && Alpha && Beta &&            \
                 (Op == CUBLAS_OP_N || Op == OTHER ||                          \
                  (!IsComplex<T> && Op == CUBLAS_OP_C)) &&                     \
                 isLd(LdA, Op == CUBLAS_OP_N ? N : K) && isLd(LdC, N);         \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          if (N > 0) {                                                         \
            const bool Plain = Op == CUBLAS_OP_N;                              \
            if (!Alpha.isZero()) {                                             \
              noteMatrix(Does::Read, A, Plain ? N : K, Plain ? K : N, LdA);    \
            }                                                                  \
            if (!Beta.isZero())                                                \
              noteTriangle(Does::Read, Fill, C, N, LdC);                       \
            noteTriangle(Does::Write, Fill, C, N, LdC);                        \
          }                                                                    \
          cblas_##l##NAME(CblasColMajor, toCblas(Fill), toCblas(Op), N, K,     \
                          Alpha.arg(), A, LdA, Beta.arg(), C, LdC);            \
        });                                                                    \
  }
#define BLAS_TYPE(L, l, T) RANK_K(L, l, T, T, syrk, CUBLAS_OP_T)
#include "Types.def"
#define COMPLEX_TYPE(L, l, T, RL, rl, R) RANK_K(L, l, T, R, herk, CUBLAS_OP_C)
#include "Types.def"

// C = alpha A B' + alpha B A' + beta C.
#define RANK_2K(L, l, T, S, NAME, OTHER)                                       \
  ECHO_FOLLOWED(cublas##L##NAME##_v2)                                          \
  cublasStatus_t cublas##L##NAME##_v2(                                         \
      cublasHandle_t H, cublasFillMode_t Fill, cublasOperation_t Op, int N,    \
      int K, const T *Alpha, const T *A, int LdA, const T *B, int LdB,         \
      const S *Beta, T *C, int LdC) {                                          \
    int Rows = Op == CUBLAS_OP_N ? N : K;                                      \
    bool Valid = isFill(Fill) && areSizes(N, K) && Alpha && Beta &&            \
                 (Op == CUBLAS_OP_N || Op == OTHER ||                          \
                  (!IsComplex<T> && Op == CUBLAS_OP_C)) &&                     \
                 isLd(LdA, Rows) && isLd(LdB, Rows) && isLd(LdC, N);           \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          if (N > 0) {                                                         \
            const bool Plain = Op == CUBLAS_OP_N;                              \
            if (!Alpha.isZero()) {                                             \
              noteMatrix(Does::Read, A, Plain ? N : K, Plain ? K : N, LdA);    \
              noteMatrix(Does::Read, B, Plain ? N : K, Plain ? K : N, LdB);    \
            }                                                                  \
            if (!Beta.isZero())                                                \
              noteTriangle(Does::Read, Fill, C, N, LdC);                       \
            noteTriangle(Does::Write, Fill, C, N, LdC);                        \
          }                                                                    \
          cblas_##l##NAME(CblasColMajor, toCblas(Fill), toCblas(Op), N, K,     \
                          Alpha.arg(), A, LdA, B, LdB, Beta.arg(), C, LdC);    \
        });                                                                    \
  }
#define BLAS_TYPE(L, l, T) RANK_2K(L, l, T, T, syr2k, CUBLAS_OP_T)
#include "Types.def"
#define COMPLEX_TYPE(L, l, T, RL, rl, R) RANK_2K(L, l, T, R, her2k, CUBLAS_OP_C)
#include "Types.def"

// B is solved in place.
#define BLAS_TYPE(L, l, T)                                                     \
  ECHO_FOLLOWED(cublas##L##trsm_v2)                                            \
  cublasStatus_t cublas##L##trsm_v2(                                           \
      cublasHandle_t H, cublasSideMode_t Side, cublasFillMode_t Fill,          \
      cublasOperation_t Op, cublasDiagType_t Diag, int M, int N,               \
      const T *Alpha, const T *A, int LdA, T *B, int LdB) {                    \
    bool Valid = isSide(Side) && isFill(Fill) && isOp(Op) && isDiag(Diag) &&   \
                 areSizes(M, N) && Alpha &&                                    \
                 isLd(LdA, Side == CUBLAS_SIDE_LEFT ? M : N) && isLd(LdB, M);  \
    return enqueue(H, Valid, [=, Alpha = Scalar(H, Alpha)] {                   \
      noteTriangular(Side, Fill, Diag, M, N, !Alpha.isZero(), A, LdA, B, LdB,  \
                     B, LdB);                                                  \
      cblas_##l##trsm(CblasColMajor, toCblas(Side), toCblas(Fill),             \
                      toCblas(Op), toCblas(Diag), M, N, Alpha.arg(), A, LdA,   \
                      B, LdB);                                                 \
    });                                                                        \
  }
#include "Types.def"

// Unlike BLAS, the product goes to a third matrix, which may be B.
#define BLAS_TYPE(L, l, T)                                                     \
  ECHO_FOLLOWED(cublas##L##trmm_v2)                                            \
  cublasStatus_t cublas##L##trmm_v2(                                           \
      cublasHandle_t H, cublasSideMode_t Side, cublasFillMode_t Fill,          \
      cublasOperation_t Op, cublasDiagType_t Diag, int M, int N,               \
      const T *Alpha, const T *A, int LdA, const T *B, int LdB, T *C,          \
      int LdC) {                                                               \
    bool Valid = isSide(Side) && isFill(Fill) && isOp(Op) && isDiag(Diag) &&   \
                 areSizes(M, N) && Alpha &&                                    \
                 isLd(LdA, Side == CUBLAS_SIDE_LEFT ? M : N) &&                \
                 isLd(LdB, M) && isLd(LdC, M) && (B != C || LdB == LdC);       \
    return enqueue(H, Valid, [=, Alpha = Scalar(H, Alpha)] {                   \
      noteTriangular(Side, Fill, Diag, M, N, !Alpha.isZero(), A, LdA, B, LdB,  \
                     C, LdC);                                                  \
      for (int J = 0; B != C && J != N; ++J)                                   \
        cblas_##l##copy(M, B + ptrdiff_t(J) * LdB, 1, C + ptrdiff_t(J) * LdC,  \
                        1);                                                    \
      cblas_##l##trmm(CblasColMajor, toCblas(Side), toCblas(Fill),             \
                      toCblas(Op), toCblas(Diag), M, N, Alpha.arg(), A, LdA,   \
                      C, LdC);                                                 \
    });                                                                        \
  }
#include "Types.def"

} // extern "C"
