//===- Level1.cpp - Vectors -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Level 1 of BLAS, on OpenBLAS. An index of a vector counts from one, as in
// cuBLAS, and is zero for an empty vector.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/Operands.h"

using namespace echo::cpulibs;

extern "C" {

#define BLAS_TYPE(L, l, T)                                                     \
  ECHO_FOLLOWED(cublas##L##axpy_v2)                                            \
  cublasStatus_t cublas##L##axpy_v2(cublasHandle_t H, int N, const T *Alpha,   \
                                    const T *X, int IncX, T *Y, int IncY) {    \
    return enqueue(H, Alpha, [=, Alpha = Scalar(H, Alpha)] {                   \
      if (N > 0 && !Alpha.isZero()) {                                          \
        noteVector(Does::Read, X, N, IncX);                                    \
        updateVector(Y, N, IncY);                                              \
      }                                                                        \
      cblas_##l##axpy(N, Alpha.arg(), X, IncX, Y, IncY);                       \
    });                                                                        \
  }                                                                            \
  ECHO_FOLLOWED(cublas##L##copy_v2)                                            \
  cublasStatus_t cublas##L##copy_v2(cublasHandle_t H, int N, const T *X,       \
                                    int IncX, T *Y, int IncY) {                \
    return enqueue(H, true, [=] {                                              \
      noteVector(Does::Read, X, N, IncX);                                      \
      noteVector(Does::Write, Y, N, IncY);                                     \
      cblas_##l##copy(N, X, IncX, Y, IncY);                                    \
    });                                                                        \
  }                                                                            \
  ECHO_FOLLOWED(cublas##L##swap_v2)                                            \
  cublasStatus_t cublas##L##swap_v2(cublasHandle_t H, int N, T *X, int IncX,   \
                                    T *Y, int IncY) {                          \
    return enqueue(H, true, [=] {                                              \
      updateVector(X, N, IncX);                                                \
      updateVector(Y, N, IncY);                                                \
      cblas_##l##swap(N, X, IncX, Y, IncY);                                    \
    });                                                                        \
  }                                                                            \
  ECHO_FOLLOWED(cublas##L##scal_v2)                                            \
  cublasStatus_t cublas##L##scal_v2(cublasHandle_t H, int N, const T *Alpha,   \
                                    T *X, int IncX) {                          \
    return enqueue(H, Alpha, [=, Alpha = Scalar(H, Alpha)] {                   \
      updateVector(X, IncX > 0 ? N : 0, IncX);                                 \
      cblas_##l##scal(N, Alpha.arg(), X, IncX);                                \
    });                                                                        \
  }
#include "Types.def"

#define COMPLEX_TYPE(L, l, T, RL, rl, R)                                       \
  ECHO_FOLLOWED(cublas##L##rl##scal_v2)                                        \
  cublasStatus_t cublas##L##rl##scal_v2(cublasHandle_t H, int N,               \
                                        const R *Alpha, T *X, int IncX) {      \
    return enqueue(H, Alpha, [=, Alpha = Scalar(H, Alpha)] {                   \
      updateVector(X, IncX > 0 ? N : 0, IncX);                                 \
      cblas_##l##rl##scal(N, Alpha.arg(), X, IncX);                            \
    });                                                                        \
  }
#include "Types.def"

#define REAL_TYPE(L, l, T)                                                     \
  ECHO_FOLLOWED(cublas##L##dot_v2)                                             \
  cublasStatus_t cublas##L##dot_v2(cublasHandle_t H, int N, const T *X,        \
                                   int IncX, const T *Y, int IncY,             \
                                   T *Result) {                                \
    return enqueueResult(H, Result, [=] {                                      \
      noteVector(Does::Read, X, N, IncX);                                      \
      noteVector(Does::Read, Y, N, IncY);                                      \
      note(Does::Write, Result, sizeof *Result);                               \
      *Result = N > 0 ? cblas_##l##dot(N, X, IncX, Y, IncY) : 0;               \
    });                                                                        \
  }
#include "Types.def"

#define COMPLEX_DOT(L, l, T, NAME)                                             \
  ECHO_FOLLOWED(cublas##L##NAME##_v2)                                          \
  cublasStatus_t cublas##L##NAME##_v2(cublasHandle_t H, int N, const T *X,     \
                                      int IncX, const T *Y, int IncY,          \
                                      T *Result) {                             \
    return enqueueResult(H, Result, [=] {                                      \
      noteVector(Does::Read, X, N, IncX);                                      \
      noteVector(Does::Read, Y, N, IncY);                                      \
      note(Does::Write, Result, sizeof *Result);                               \
      T Sum{};                                                                 \
      if (N > 0)                                                               \
        cblas_##l##NAME##_sub(N, X, IncX, Y, IncY, &Sum);                      \
      *Result = Sum;                                                           \
    });                                                                        \
  }
#define COMPLEX_TYPE(L, l, T, RL, rl, R)                                       \
  COMPLEX_DOT(L, l, T, dotu)                                                   \
  COMPLEX_DOT(L, l, T, dotc)
#include "Types.def"

// Norms and sums are real.
#define REDUCE(PREFIX, prefix, T, R, NAME)                                     \
  ECHO_FOLLOWED(cublas##PREFIX##NAME##_v2)                                     \
  cublasStatus_t cublas##PREFIX##NAME##_v2(cublasHandle_t H, int N,            \
                                           const T *X, int IncX, R *Result) {  \
    return enqueueResult(H, Result, [=] {                                      \
      noteVector(Does::Read, X, IncX > 0 ? N : 0, IncX);                       \
      note(Does::Write, Result, sizeof *Result);                               \
      *Result = N > 0 && IncX > 0 ? cblas_##prefix##NAME(N, X, IncX) : 0;      \
    });                                                                        \
  }
#define REAL_TYPE(L, l, T) REDUCE(L, l, T, T, nrm2) REDUCE(L, l, T, T, asum)
#include "Types.def"
REDUCE(Sc, sc, cuComplex, float, nrm2)
REDUCE(Sc, sc, cuComplex, float, asum)
REDUCE(Dz, dz, cuDoubleComplex, double, nrm2)
REDUCE(Dz, dz, cuDoubleComplex, double, asum)

#define FIND(L, l, T, NAME)                                                    \
  ECHO_FOLLOWED(cublasI##l##NAME##_v2)                                         \
  cublasStatus_t cublasI##l##NAME##_v2(cublasHandle_t H, int N, const T *X,    \
                                       int IncX, int *Result) {                \
    return enqueueResult(H, Result, [=] {                                      \
      noteVector(Does::Read, X, IncX > 0 ? N : 0, IncX);                       \
      note(Does::Write, Result, sizeof *Result);                               \
      *Result = N > 0 && IncX > 0 ? int(cblas_i##l##NAME(N, X, IncX)) + 1 : 0; \
    });                                                                        \
  }
#define BLAS_TYPE(L, l, T) FIND(L, l, T, amax) FIND(L, l, T, amin)
#include "Types.def"

#define REAL_TYPE(L, l, T)                                                     \
  ECHO_FOLLOWED(cublas##L##rot_v2)                                             \
  cublasStatus_t cublas##L##rot_v2(cublasHandle_t H, int N, T *X, int IncX,    \
                                   T *Y, int IncY, const T *C, const T *S) {   \
    return enqueue(H, C && S, [=, C = Scalar(H, C), S = Scalar(H, S)] {        \
      updateVector(X, N, IncX);                                                \
      updateVector(Y, N, IncY);                                                \
      cblas_##l##rot(N, X, IncX, Y, IncY, C.arg(), S.arg());                   \
    });                                                                        \
  }                                                                            \
  cublasStatus_t cublas##L##rotg_v2(cublasHandle_t H, T *A, T *B, T *C,        \
                                    T *S) {                                    \
    return enqueueResult(H, A && B && C && S,                                  \
                         [=] { cblas_##l##rotg(A, B, C, S); });                \
  }                                                                            \
  cublasStatus_t cublas##L##rotm_v2(cublasHandle_t H, int N, T *X, int IncX,   \
                                    T *Y, int IncY, const T *Param) {          \
    if (!isAlive(H) || !Param || !onHost(H))                                   \
      return enqueue(H, Param,                                                 \
                     [=] { cblas_##l##rotm(N, X, IncX, Y, IncY, Param); });    \
    struct {                                                                   \
      T Values[5];                                                             \
    } Copy = {{Param[0], Param[1], Param[2], Param[3], Param[4]}};             \
    return enqueue(                                                            \
        H, true, [=] { cblas_##l##rotm(N, X, IncX, Y, IncY, Copy.Values); });  \
  }                                                                            \
  cublasStatus_t cublas##L##rotmg_v2(cublasHandle_t H, T *D1, T *D2, T *X1,    \
                                     const T *Y1, T *Param) {                  \
    return enqueueResult(H, D1 && D2 && X1 && Y1 && Param,                     \
                         [=] { cblas_##l##rotmg(D1, D2, X1, *Y1, Param); });   \
  }
#include "Types.def"

} // extern "C"
