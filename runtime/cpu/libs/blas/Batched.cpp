//===- Batched.cpp - Many small products ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches of gemm and trsm: with pointers in device memory, which are read when
// the work runs, or with strides.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/Operands.h"

using namespace echo::cpulibs;

extern "C" {

#define BLAS_TYPE(L, l, T)                                                     \
  ECHO_FOLLOWED(cublas##L##gemmBatched)                                        \
  cublasStatus_t cublas##L##gemmBatched(                                       \
      cublasHandle_t H, cublasOperation_t TA, cublasOperation_t TB, int M,     \
      int N, int K, const T *Alpha, const T *const A[], int LdA,               \
      const T *const B[], int LdB, const T *Beta, T *const C[], int LdC,       \
      int Count) {                                                             \
    bool Valid = isOp(TA) && isOp(TB) && areSizes(M, N, K, Count) && Alpha &&  \
                 Beta && isLd(LdA, TA == CUBLAS_OP_N ? M : K) &&               \
                 isLd(LdB, TB == CUBLAS_OP_N ? K : N) && isLd(LdC, M);         \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          for (int I = 0; I != Count; ++I) {                                   \
            for (const void *P : {(const void *)&A[I], (const void *)&B[I],    \
                                  (const void *)&C[I]})                        \
              note(Does::Read, P, sizeof(void *));                             \
            noteProduct(TA, TB, M, N, K, !Alpha.isZero(), A[I], sizeof(T),     \
                        LdA, B[I], sizeof(T), LdB, !Beta.isZero(), C[I],       \
                        sizeof(T), LdC);                                       \
          }                                                                    \
          for (int I = 0; I != Count; ++I)                                     \
            cblas_##l##gemm(CblasColMajor, toCblas(TA), toCblas(TB), M, N, K,  \
                            Alpha.arg(), A[I], LdA, B[I], LdB, Beta.arg(),     \
                            C[I], LdC);                                        \
        });                                                                    \
  }                                                                            \
  ECHO_FOLLOWED(cublas##L##gemmStridedBatched)                                 \
  cublasStatus_t cublas##L##gemmStridedBatched(                                \
      cublasHandle_t H, cublasOperation_t TA, cublasOperation_t TB, int M,     \
      int N, int K, const T *Alpha, const T *A, int LdA, long long StrideA,    \
      const T *B, int LdB, long long StrideB, const T *Beta, T *C, int LdC,    \
      long long StrideC, int Count) {                                          \
    bool Valid = isOp(TA) && isOp(TB) && areSizes(M, N, K, Count) && Alpha &&  \
                 Beta && isLd(LdA, TA == CUBLAS_OP_N ? M : K) &&               \
                 isLd(LdB, TB == CUBLAS_OP_N ? K : N) && isLd(LdC, M);         \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          for (int I = 0; I != Count; ++I)                                     \
            noteProduct(TA, TB, M, N, K, !Alpha.isZero(), A + I * StrideA,     \
                        sizeof(T), LdA, B + I * StrideB, sizeof(T), LdB,       \
                        !Beta.isZero(), C + I * StrideC, sizeof(T), LdC);      \
          for (int I = 0; I != Count; ++I)                                     \
            cblas_##l##gemm(CblasColMajor, toCblas(TA), toCblas(TB), M, N, K,  \
                            Alpha.arg(), A + I * StrideA, LdA,                 \
                            B + I * StrideB, LdB, Beta.arg(), C + I * StrideC, \
                            LdC);                                              \
        });                                                                    \
  }                                                                            \
  cublasStatus_t cublas##L##trsmBatched(                                       \
      cublasHandle_t H, cublasSideMode_t Side, cublasFillMode_t Fill,          \
      cublasOperation_t Op, cublasDiagType_t Diag, int M, int N,               \
      const T *Alpha, const T *const A[], int LdA, T *const B[], int LdB,      \
      int Count) {                                                             \
    bool Valid = isSide(Side) && isFill(Fill) && isOp(Op) && isDiag(Diag) &&   \
                 areSizes(M, N, Count) && Alpha &&                             \
                 isLd(LdA, Side == CUBLAS_SIDE_LEFT ? M : N) && isLd(LdB, M);  \
    return enqueue(H, Valid, [=, Alpha = Scalar(H, Alpha)] {                   \
      for (int I = 0; I != Count; ++I)                                         \
        cblas_##l##trsm(CblasColMajor, toCblas(Side), toCblas(Fill),           \
                        toCblas(Op), toCblas(Diag), M, N, Alpha.arg(), A[I],   \
                        LdA, B[I], LdB);                                       \
    });                                                                        \
  }
#include "Types.def"

} // extern "C"
