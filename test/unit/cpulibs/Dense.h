//===- Dense.h - Matrices of every storage as dense ones ------ -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cuBLAS is compared with: dense matrices of complex numbers, made from
// any storage, and their product by the definition.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_CPULIBS_DENSE_H
#define ECHO_TEST_UNIT_CPULIBS_DENSE_H

#include <complex>
#include <cublas_v2.h>
#include <vector>

using Cx = std::complex<double>;

/// A dense matrix, column by column.
struct Dense {
  int Rows = 0, Cols = 0;
  std::vector<Cx> E;
  Dense(int Rows, int Cols) : Rows(Rows), Cols(Cols), E(Rows * Cols) {}
  Cx &at(int I, int J) { return E[I + J * Rows]; }
  Cx at(int I, int J) const { return E[I + J * Rows]; }
};

Dense operator*(const Dense &A, const Dense &B);
Dense apply(cublasOperation_t Op, const Dense &A);

/// A general matrix that is stored with leading dimension \p Ld.
Dense general(const std::vector<Cx> &V, int Rows, int Cols, int Ld,
              size_t Offset = 0);

/// How a square matrix is stored.
enum class Storage { Full, Banded, Packed };
/// Where element (I, J) of triangle \p Fill lies; -1 where it is zero.
int place(Storage How, cublasFillMode_t Fill, int N, int K, int Ld, int I,
          int J);
bool inTriangle(cublasFillMode_t Fill, int I, int J);
Dense triangle(Storage How, const std::vector<Cx> &V, cublasFillMode_t Fill,
               cublasDiagType_t Diag, int N, int K, int Ld);
/// A symmetric, or with \p Hermitian Hermitian, matrix, of which one triangle
/// is stored.
Dense symmetric(Storage How, const std::vector<Cx> &V, cublasFillMode_t Fill,
                bool Hermitian, int N, int K, int Ld);

/// Element \p I of a BLAS vector.
int element(int N, int Inc, int I);
Dense vectorOf(const std::vector<Cx> &V, int N, int Inc);

/// Every element of \p Got is that of \p Want, within \p Tolerance.
void checkEqual(const std::vector<Cx> &Got, const std::vector<Cx> &Want,
                double Tolerance = 0);

#endif
