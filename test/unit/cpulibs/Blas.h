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
#define ECHO_API(L, l, T, SY, SP, SB, DOT, GER, NRM, ASUM)                     \
  template <> struct Api<T> {                                                  \
    static constexpr auto axpy = cublas##L##axpy;                              \
    static constexpr auto scal = cublas##L##scal;                              \
    static constexpr auto copy = cublas##L##copy;                              \
    static constexpr auto swap = cublas##L##swap;                              \
    static constexpr auto dot = cublas##L##DOT;                                \
    static constexpr auto nrm2 = cublas##NRM;                                  \
    static constexpr auto asum = cublas##ASUM;                                 \
    static constexpr auto amax = cublasI##l##amax;                             \
    static constexpr auto amin = cublasI##l##amin;                             \
    static constexpr auto gemv = cublas##L##gemv;                              \
    static constexpr auto gbmv = cublas##L##gbmv;                              \
    static constexpr auto trmv = cublas##L##trmv;                              \
    static constexpr auto trsv = cublas##L##trsv;                              \
    static constexpr auto tbmv = cublas##L##tbmv;                              \
    static constexpr auto tbsv = cublas##L##tbsv;                              \
    static constexpr auto tpmv = cublas##L##tpmv;                              \
    static constexpr auto tpsv = cublas##L##tpsv;                              \
    static constexpr auto symv = cublas##L##SY##mv;                            \
    static constexpr auto sbmv = cublas##L##SB##mv;                            \
    static constexpr auto spmv = cublas##L##SP##mv;                            \
    static constexpr auto ger = cublas##L##GER;                                \
    static constexpr auto syr2 = cublas##L##SY##r2;                            \
    static constexpr auto spr2 = cublas##L##SP##r2;                            \
    static constexpr auto syr = cublas##L##SY##r;                              \
    static constexpr auto spr = cublas##L##SP##r;                              \
    static constexpr auto gemm = cublas##L##gemm;                              \
    static constexpr auto symm = cublas##L##symm;                              \
    static constexpr auto hemm = cublas##L##SY##mm;                            \
    static constexpr auto syrk = cublas##L##syrk;                              \
    static constexpr auto syr2k = cublas##L##syr2k;                            \
    static constexpr auto herk = cublas##L##SY##rk;                            \
    static constexpr auto her2k = cublas##L##SY##r2k;                          \
    static constexpr auto trmm = cublas##L##trmm;                              \
    static constexpr auto trsm = cublas##L##trsm;                              \
    static constexpr auto batched = cublas##L##gemmBatched;                    \
    static constexpr auto strided = cublas##L##gemmStridedBatched;             \
    static constexpr auto solves = cublas##L##trsmBatched;                     \
    static constexpr auto geam = cublas##L##geam;                              \
    static constexpr auto dgmm = cublas##L##dgmm;                              \
  };
ECHO_API(S, s, float, sy, sp, sb, dot, ger, Snrm2, Sasum)
ECHO_API(D, d, double, sy, sp, sb, dot, ger, Dnrm2, Dasum)
ECHO_API(C, c, cuComplex, he, hp, hb, dotc, gerc, Scnrm2, Scasum)
ECHO_API(Z, z, cuDoubleComplex, he, hp, hb, dotc, gerc, Dznrm2, Dzasum)
#undef ECHO_API

#define BLAS_TYPES float, double, cuComplex, cuDoubleComplex

template <typename T> struct RealPart { using Type = T; };
template <> struct RealPart<cuComplex> { using Type = float; };
template <> struct RealPart<cuDoubleComplex> { using Type = double; };

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
