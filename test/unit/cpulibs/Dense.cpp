//===- Dense.cpp - Matrices of every storage as dense ones ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Dense.h.
//
//===----------------------------------------------------------------------===//
#include "Dense.h"

#include <catch2/catch.hpp>

Dense operator*(const Dense &A, const Dense &B) {
  REQUIRE(A.Cols == B.Rows);
  Dense C(A.Rows, B.Cols);
  for (int I = 0; I != A.Rows; ++I)
    for (int J = 0; J != B.Cols; ++J)
      for (int K = 0; K != A.Cols; ++K)
        C.at(I, J) += A.at(I, K) * B.at(K, J);
  return C;
}

Dense apply(cublasOperation_t Op, const Dense &A) {
  if (Op == CUBLAS_OP_N)
    return A;
  Dense R(A.Cols, A.Rows);
  for (int I = 0; I != A.Rows; ++I)
    for (int J = 0; J != A.Cols; ++J)
      R.at(J, I) = Op == CUBLAS_OP_C ? std::conj(A.at(I, J)) : A.at(I, J);
  return R;
}

/// A general matrix that is stored with leading dimension \p Ld.
Dense general(const std::vector<Cx> &V, int Rows, int Cols, int Ld,
              size_t Offset) {
  Dense A(Rows, Cols);
  for (int I = 0; I != Rows; ++I)
    for (int J = 0; J != Cols; ++J)
      A.at(I, J) = V[Offset + I + size_t(J) * Ld];
  return A;
}

/// Where element (I, J) of triangle \p Fill lies; -1 where it is zero.
int place(Storage How, cublasFillMode_t Fill, int N, int K, int Ld, int I,
          int J) {
  bool Upper = Fill == CUBLAS_FILL_MODE_UPPER;
  switch (How) {
  case Storage::Full:
    return I + J * Ld;
  case Storage::Banded:
    if (abs(I - J) > K)
      return -1;
    return (Upper ? K + I - J : I - J) + J * Ld;
  case Storage::Packed:
    return Upper ? I + J * (J + 1) / 2 : I + J * (2 * N - J - 1) / 2;
  }
  return -1;
}

bool inTriangle(cublasFillMode_t Fill, int I, int J) {
  return Fill == CUBLAS_FILL_MODE_UPPER ? I <= J : I >= J;
}

Dense triangle(Storage How, const std::vector<Cx> &V, cublasFillMode_t Fill,
               cublasDiagType_t Diag, int N, int K, int Ld) {
  Dense A(N, N);
  for (int I = 0; I != N; ++I)
    for (int J = 0; J != N; ++J)
      if (int At =
              inTriangle(Fill, I, J) ? place(How, Fill, N, K, Ld, I, J) : -1;
          At >= 0)
        A.at(I, J) = I == J && Diag == CUBLAS_DIAG_UNIT ? Cx(1) : V[At];
  return A;
}

/// A symmetric, or with \p Hermitian Hermitian, matrix, of which one triangle
/// is stored.
Dense symmetric(Storage How, const std::vector<Cx> &V, cublasFillMode_t Fill,
                bool Hermitian, int N, int K, int Ld) {
  Dense A = triangle(How, V, Fill, CUBLAS_DIAG_NON_UNIT, N, K, Ld);
  for (int I = 0; I != N; ++I)
    for (int J = 0; J != N; ++J)
      if (!inTriangle(Fill, I, J))
        A.at(I, J) = Hermitian ? std::conj(A.at(J, I)) : A.at(J, I);
      else if (I == J && Hermitian)
        A.at(I, I) = A.at(I, I).real();
  return A;
}

/// Element \p I of a BLAS vector.
int element(int N, int Inc, int I) {
  return Inc < 0 ? (I - (N - 1)) * Inc : I * Inc;
}
Dense vectorOf(const std::vector<Cx> &V, int N, int Inc) {
  Dense X(N, 1);
  for (int I = 0; I != N; ++I)
    X.E[I] = V[element(N, Inc, I)];
  return X;
}

void checkEqual(const std::vector<Cx> &Got, const std::vector<Cx> &Want,
                double Tolerance) {
  REQUIRE(Got.size() == Want.size());
  for (size_t I = 0; I != Got.size(); ++I)
    if (!(std::abs(Got[I] - Want[I]) <= Tolerance))
      FAIL_CHECK("element " << I << ": " << Got[I] << " instead of "
                            << Want[I]);
  SUCCEED();
}
