//===- BlasLevel2Test.cpp - Matrix times vector ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of level 2 in all of its modes, against dense products.
//
//===----------------------------------------------------------------------===//
#include "Blas.h"

#include <limits>

/// alpha op(A) x + beta y in the place of y.
static std::vector<Cx> product(Cx Alpha, const Dense &A,
                               const std::vector<Cx> &X, int IncX, Cx Beta,
                               std::vector<Cx> Y, int IncY) {
  Dense P = A * vectorOf(X, A.Cols, IncX);
  for (int I = 0; I != A.Rows; ++I) {
    Cx &To = Y[element(A.Rows, IncY, I)];
    To = Alpha * P.E[I] + Beta * To;
  }
  return Y;
}

TEMPLATE_TEST_CASE("general matrices times vectors", "", BLAS_TYPES) {
  using T = TestType;
  Handle H;
  const int M = 4, N = 6, Ld = 7, Kl = 1, Ku = 2;
  T Alpha = fromCx<T>({2, 1}), Beta = fromCx<T>({-1, 2});
  for (cublasOperation_t Op : Ops) {
    DeviceArray<T> A(N * Ld), X(20), Y(20);
    std::vector<Cx> AV = A.values();
    auto Want = product(toCx(Alpha), apply(Op, general(AV, M, N, Ld)),
                        X.values(), 2, toCx(Beta), Y.values(), -3);
    CHECK_BLAS(Api<T>::gemv(H, Op, M, N, &Alpha, A, Ld, X, 2, &Beta, Y, -3));
    checkEqual(Y.values(), Want);

    Dense Banded(M, N);
    for (int I = 0; I != M; ++I)
      for (int J = 0; J != N; ++J)
        if (I - J <= Kl && J - I <= Ku)
          Banded.at(I, J) = AV[Ku + I - J + J * Ld];
    Want = product(toCx(Alpha), apply(Op, Banded), X.values(), 1, toCx(Beta),
                   Y.values(), 1);
    CHECK_BLAS(
        Api<T>::gbmv(H, Op, M, N, Kl, Ku, &Alpha, A, Ld, X, 1, &Beta, Y, 1));
    checkEqual(Y.values(), Want);
  }
}

TEMPLATE_TEST_CASE("a zero beta does not read", "", BLAS_TYPES) {
  using T = TestType;
  Handle H;
  DeviceArray<T> A(9), X(3), Y(3);
  const double NaN = std::numeric_limits<double>::quiet_NaN();
  T One = fromCx<T>(1), Zero = fromCx<T>(0);
  for (cublasOperation_t Op : Ops) {
    Y.write(std::vector<T>(3, fromCx<T>({NaN, NaN})));
    CHECK_BLAS(Api<T>::gemv(H, Op, 3, 3, &One, A, 3, X, 1, &Zero, Y, 1));
    checkEqual(Y.values(), (apply(Op, general(A.values(), 3, 3, 3)) *
                            vectorOf(X.values(), 3, 1))
                               .E);
  }
}

TEMPLATE_TEST_CASE("triangular matrices", "", BLAS_TYPES) {
  using T = TestType;
  Handle H;
  const int N = 5, K = 2, Ld = 6, Inc = 2;
  for (cublasFillMode_t Fill : Fills)
    for (cublasOperation_t Op : Ops)
      for (cublasDiagType_t Diag : Diags)
        for (Storage How : {Storage::Full, Storage::Banded, Storage::Packed}) {
          DeviceArray<T> A(N * Ld), X(N * Inc);
          // Powers of two divide exactly.
          std::vector<T> Stored = A.read();
          for (int I = 0; I != N; ++I)
            Stored.at(place(How, Fill, N, K, Ld, I, I)) =
                fromCx<T>(I % 2 ? -2 : 1);
          A.write(Stored);
          Dense Full =
              apply(Op, triangle(How, A.values(), Fill, Diag, N, K, Ld));
          const std::vector<Cx> Before = X.values();
          auto Want = product(1, Full, Before, Inc, 0, Before, Inc);
          auto Run = [&](auto *FullFn, auto *BandedFn, auto *PackedFn) {
            if (How == Storage::Full)
              return FullFn(H, Fill, Op, Diag, N, A, Ld, X, Inc);
            if (How == Storage::Banded)
              return BandedFn(H, Fill, Op, Diag, N, K, A, Ld, X, Inc);
            return PackedFn(H, Fill, Op, Diag, N, A, X, Inc);
          };
          CHECK_BLAS(Run(Api<T>::trmv, Api<T>::tbmv, Api<T>::tpmv));
          checkEqual(X.values(), Want);
          CHECK_BLAS(Run(Api<T>::trsv, Api<T>::tbsv, Api<T>::tpsv));
          checkEqual(X.values(), Before, 1e-3);
        }
}

TEMPLATE_TEST_CASE("symmetric and Hermitian matrices", "", BLAS_TYPES) {
  using T = TestType;
  using R = typename RealPart<T>::Type;
  Handle H;
  const int N = 5, K = 2, Ld = 7;
  T Alpha = fromCx<T>({2, 1}), Beta = fromCx<T>({-1, 2});
  R Factor = 3;
  for (cublasFillMode_t Fill : Fills)
    for (Storage How : {Storage::Full, Storage::Banded, Storage::Packed}) {
      DeviceArray<T> A(N * Ld), X(20), Y(20);
      auto Matrix = [&] {
        return symmetric(How, A.values(), Fill, IsComplex<T>, N, K, Ld);
      };
      auto Want = product(toCx(Alpha), Matrix(), X.values(), 2, toCx(Beta),
                          Y.values(), -1);
      if (How == Storage::Full)
        CHECK_BLAS(Api<T>::symv(H, Fill, N, &Alpha, A, Ld, X, 2, &Beta, Y, -1));
      else if (How == Storage::Banded)
        CHECK_BLAS(
            Api<T>::sbmv(H, Fill, N, K, &Alpha, A, Ld, X, 2, &Beta, Y, -1));
      else
        CHECK_BLAS(Api<T>::spmv(H, Fill, N, &Alpha, A, X, 2, &Beta, Y, -1));
      checkEqual(Y.values(), Want);
      if (How == Storage::Banded)
        continue;

      // Updates: alpha x x', then alpha x y' + conj(alpha) y x'.
      Dense XV = vectorOf(X.values(), N, 2), YV = vectorOf(Y.values(), N, 1);
      Dense Sum = Matrix();
      Dense Square = XV * apply(CUBLAS_OP_C, XV);
      Dense XY = XV * apply(CUBLAS_OP_C, YV), YX = YV * apply(CUBLAS_OP_C, XV);
      for (size_t I = 0; I != Sum.E.size(); ++I)
        Sum.E[I] += double(Factor) * Square.E[I] + toCx(Alpha) * XY.E[I] +
                    std::conj(toCx(Alpha)) * YX.E[I];
      if (How == Storage::Full) {
        CHECK_BLAS(Api<T>::syr(H, Fill, N, &Factor, X, 2, A, Ld));
        CHECK_BLAS(Api<T>::syr2(H, Fill, N, &Alpha, X, 2, Y, 1, A, Ld));
      } else {
        CHECK_BLAS(Api<T>::spr(H, Fill, N, &Factor, X, 2, A));
        CHECK_BLAS(Api<T>::spr2(H, Fill, N, &Alpha, X, 2, Y, 1, A));
      }
      checkEqual(Matrix().E, Sum.E);
    }
}

TEMPLATE_TEST_CASE("rank one updates", "", BLAS_TYPES) {
  using T = TestType;
  Handle H;
  const int M = 3, N = 4, Ld = 5;
  DeviceArray<T> A(N * Ld), X(M), Y(2 * N);
  T Alpha = fromCx<T>({2, 1});
  Dense Want = general(A.values(), Ld, N, Ld);
  Dense P = vectorOf(X.values(), M, 1) *
            apply(CUBLAS_OP_C, vectorOf(Y.values(), N, 2));
  for (int I = 0; I != M; ++I)
    for (int J = 0; J != N; ++J)
      Want.at(I, J) += toCx(Alpha) * P.at(I, J);
  CHECK_BLAS(Api<T>::ger(H, M, N, &Alpha, X, 1, Y, 2, A, Ld));
  checkEqual(A.values(), Want.E);
}
