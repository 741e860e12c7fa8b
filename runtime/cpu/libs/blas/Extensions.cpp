//===- Extensions.cpp - What cuBLAS has beside BLAS -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and transpositions of matrices (geam) and products with diagonal ones
// (dgmm). What a zero factor stands before is not read.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/Operands.h"

using namespace echo::cpulibs;

static float conj(float X) { return X; }
static double conj(double X) { return X; }
static cuComplex conj(cuComplex X) { return cuConjf(X); }
static cuDoubleComplex conj(cuDoubleComplex X) { return cuConj(X); }
static float times(float X, float Y) { return X * Y; }
static double times(double X, double Y) { return X * Y; }
static cuComplex times(cuComplex X, cuComplex Y) { return cuCmulf(X, Y); }
static cuDoubleComplex times(cuDoubleComplex X, cuDoubleComplex Y) {
  return cuCmul(X, Y);
}
static float plus(float X, float Y) { return X + Y; }
static double plus(double X, double Y) { return X + Y; }
static cuComplex plus(cuComplex X, cuComplex Y) { return cuCaddf(X, Y); }
static cuDoubleComplex plus(cuDoubleComplex X, cuDoubleComplex Y) {
  return cuCadd(X, Y);
}

/// Element (I, J) of op(A).
template <typename T>
static T element(cublasOperation_t Op, const T *A, int LdA, int I, int J) {
  if (Op == CUBLAS_OP_N)
    return A[I + ptrdiff_t(J) * LdA];
  T X = A[J + ptrdiff_t(I) * LdA];
  return Op == CUBLAS_OP_C ? conj(X) : X;
}

template <typename T>
static void addMatrices(cublasOperation_t TA, cublasOperation_t TB, int M,
                        int N, const Scalar<T> &Alpha, const T *A, int LdA,
                        const Scalar<T> &Beta, const T *B, int LdB, T *C,
                        int LdC) {
  bool UsesA = !Alpha.isZero(), UsesB = !Beta.isZero();
  for (int J = 0; J != N; ++J)
    for (int I = 0; I != M; ++I) {
      T Sum{};
      if (UsesA)
        Sum = times(Alpha.get(), element(TA, A, LdA, I, J));
      if (UsesB)
        Sum = plus(Sum, times(Beta.get(), element(TB, B, LdB, I, J)));
      C[I + ptrdiff_t(J) * LdC] = Sum;
    }
}

template <typename T>
static void scaleMatrix(cublasSideMode_t Side, int M, int N, const T *A,
                        int LdA, const T *X, int IncX, T *C, int LdC) {
  int Length = Side == CUBLAS_SIDE_LEFT ? M : N;
  const T *First = IncX < 0 ? X - ptrdiff_t(Length - 1) * IncX : X;
  for (int J = 0; J != N; ++J)
    for (int I = 0; I != M; ++I)
      C[I + ptrdiff_t(J) * LdC] =
          times(A[I + ptrdiff_t(J) * LdA],
                First[ptrdiff_t(Side == CUBLAS_SIDE_LEFT ? I : J) * IncX]);
}

extern "C" {

// In place only with the same layout and no transposition, as cuBLAS says.
#define BLAS_TYPE(L, l, T)                                                     \
  ECHO_FOLLOWED(cublas##L##geam)                                               \
  cublasStatus_t cublas##L##geam(                                              \
      cublasHandle_t H, cublasOperation_t TA, cublasOperation_t TB, int M,     \
      int N, const T *Alpha, const T *A, int LdA, const T *Beta, const T *B,   \
      int LdB, T *C, int LdC) {                                                \
    bool Valid = isOp(TA) && isOp(TB) && areSizes(M, N) && Alpha && Beta &&    \
                 C && isLd(LdA, TA == CUBLAS_OP_N ? M : N) &&                  \
                 isLd(LdB, TB == CUBLAS_OP_N ? M : N) && isLd(LdC, M) &&       \
                 (C != A || (TA == CUBLAS_OP_N && LdA == LdC)) &&              \
                 (C != B || (TB == CUBLAS_OP_N && LdB == LdC));                \
    return enqueue(                                                            \
        H, Valid, [=, Alpha = Scalar(H, Alpha), Beta = Scalar(H, Beta)] {      \
          if (!Alpha.isZero())                                                 \
            noteMatrix(Does::Read, A, TA == CUBLAS_OP_N ? M : N,               \
                       TA == CUBLAS_OP_N ? N : M, LdA);                        \
          if (!Beta.isZero())                                                  \
            noteMatrix(Does::Read, B, TB == CUBLAS_OP_N ? M : N,               \
                       TB == CUBLAS_OP_N ? N : M, LdB);                        \
          noteMatrix(Does::Write, C, M, N, LdC);                               \
          addMatrices(TA, TB, M, N, Alpha, A, LdA, Beta, B, LdB, C, LdC);      \
        });                                                                    \
  }                                                                            \
  ECHO_FOLLOWED(cublas##L##dgmm)                                               \
  cublasStatus_t cublas##L##dgmm(cublasHandle_t H, cublasSideMode_t Side,      \
                                 int M, int N, const T *A, int LdA,            \
                                 const T *X, int IncX, T *C, int LdC) {        \
    bool Valid =                                                               \
        isSide(Side) && areSizes(M, N) && isLd(LdA, M) && isLd(LdC, M);        \
    return enqueue(H, Valid, [=] {                                             \
      if (M > 0 && N > 0) {                                                    \
        noteMatrix(Does::Read, A, M, N, LdA);                                  \
        noteVector(Does::Read, X, Side == CUBLAS_SIDE_LEFT ? M : N, IncX);     \
        noteMatrix(Does::Write, C, M, N, LdC);                                 \
      }                                                                        \
      scaleMatrix(Side, M, N, A, LdA, X, IncX, C, LdC);                        \
    });                                                                        \
  }
#include "Types.def"

} // extern "C"
