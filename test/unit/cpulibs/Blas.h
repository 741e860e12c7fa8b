//===- Blas.h - cuBLAS by type -------------------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of cuBLAS share: its functions as members of a template.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_CPULIBS_BLAS_H
#define ECHO_TEST_UNIT_CPULIBS_BLAS_H

#include "Dense.h"
#include "DeviceArray.h"

#include <cublas_v2.h>

/// What to call the functions that real and complex types name differently.
template <typename T> struct Api;
#define ECHO_NAME(NAME, FUNCTION) static constexpr auto NAME = cublas##FUNCTION
#define ECHO_SAME(L, NAME) ECHO_NAME(NAME, L##NAME)
#define ECHO_API(L, l, T, SY, SP, SB, DOT, GER, NRM, ASUM)                     \
  template <> struct Api<T> {                                                  \
    ECHO_SAME(L, axpy);                                                        \
    ECHO_SAME(L, scal);                                                        \
    ECHO_SAME(L, copy);                                                        \
    ECHO_SAME(L, swap);                                                        \
    ECHO_NAME(dot, L##DOT);                                                    \
    ECHO_NAME(nrm2, NRM);                                                      \
    ECHO_NAME(asum, ASUM);                                                     \
    ECHO_NAME(amax, I##l##amax);                                               \
    ECHO_NAME(amin, I##l##amin);                                               \
    ECHO_SAME(L, gemv);                                                        \
    ECHO_SAME(L, gbmv);                                                        \
    ECHO_SAME(L, trmv);                                                        \
    ECHO_SAME(L, trsv);                                                        \
    ECHO_SAME(L, tbmv);                                                        \
    ECHO_SAME(L, tbsv);                                                        \
    ECHO_SAME(L, tpmv);                                                        \
    ECHO_SAME(L, tpsv);                                                        \
    ECHO_NAME(symv, L##SY##mv);                                                \
    ECHO_NAME(sbmv, L##SB##mv);                                                \
    ECHO_NAME(spmv, L##SP##mv);                                                \
    ECHO_NAME(ger, L##GER);                                                    \
    ECHO_NAME(syr2, L##SY##r2);                                                \
    ECHO_NAME(spr2, L##SP##r2);                                                \
    ECHO_NAME(syr, L##SY##r);                                                  \
    ECHO_NAME(spr, L##SP##r);                                                  \
    ECHO_SAME(L, gemm);                                                        \
    ECHO_SAME(L, symm);                                                        \
    ECHO_NAME(hemm, L##SY##mm);                                                \
    ECHO_SAME(L, syrk);                                                        \
    ECHO_SAME(L, syr2k);                                                       \
    ECHO_NAME(herk, L##SY##rk);                                                \
    ECHO_NAME(her2k, L##SY##r2k);                                              \
    ECHO_SAME(L, trmm);                                                        \
    ECHO_SAME(L, trsm);                                                        \
    ECHO_NAME(batched, L##gemmBatched);                                        \
    ECHO_NAME(strided, L##gemmStridedBatched);                                 \
    ECHO_NAME(solves, L##trsmBatched);                                         \
    ECHO_SAME(L, geam);                                                        \
    ECHO_SAME(L, dgmm);                                                        \
  };
ECHO_API(S, s, float, sy, sp, sb, dot, ger, Snrm2, Sasum)
ECHO_API(D, d, double, sy, sp, sb, dot, ger, Dnrm2, Dasum)
ECHO_API(C, c, cuComplex, he, hp, hb, dotc, gerc, Scnrm2, Scasum)
ECHO_API(Z, z, cuDoubleComplex, he, hp, hb, dotc, gerc, Dznrm2, Dzasum)
#undef ECHO_API
#undef ECHO_SAME
#undef ECHO_NAME

#define BLAS_TYPES float, double, cuComplex, cuDoubleComplex

template <typename T> struct RealPart {
  using Type = T;
};
template <> struct RealPart<cuComplex> {
  using Type = float;
};
template <> struct RealPart<cuDoubleComplex> {
  using Type = double;
};

#define CHECK_BLAS(Call) CHECK(int(Call) == int(CUBLAS_STATUS_SUCCESS))

/// A handle for the time of a test.
class Handle {
public:
  Handle() { REQUIRE(cublasCreate(&H) == CUBLAS_STATUS_SUCCESS); }
  ~Handle() { cublasDestroy(H); }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  operator cublasHandle_t() const { return H; }

private:
  cublasHandle_t H;
};

inline const cublasOperation_t Ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
inline const cublasFillMode_t Fills[] = {CUBLAS_FILL_MODE_LOWER,
                                         CUBLAS_FILL_MODE_UPPER};
inline const cublasDiagType_t Diags[] = {CUBLAS_DIAG_NON_UNIT,
                                         CUBLAS_DIAG_UNIT};
inline const cublasSideMode_t Sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};

#endif
