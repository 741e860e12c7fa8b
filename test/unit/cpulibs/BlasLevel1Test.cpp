//===- BlasLevel1Test.cpp - Vectors ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of level 1, with increments of both signs.
//
//===----------------------------------------------------------------------===//
#include "Blas.h"

#include <numeric>

TEMPLATE_TEST_CASE("vectors are combined, copied and scaled", "", BLAS_TYPES) {
  using T = TestType;
  Handle H;
  const int N = 7;
  const int Incs[] = {1, 2, -3};
  for (int IncX : Incs)
    for (int IncY : Incs) {
      DeviceArray<T> X(N * 3), Y(N * 3);
      T Alpha = fromCx<T>({2, 1});
      std::vector<Cx> XV = X.values(), Want = Y.values();
      for (int I = 0; I != N; ++I)
        Want[element(N, IncY, I)] += toCx(Alpha) * XV[element(N, IncX, I)];
      CHECK_BLAS(Api<T>::axpy(H, N, &Alpha, X, IncX, Y, IncY));
      checkEqual(Y.values(), Want);

      for (int I = 0; I != N; ++I)
        std::swap(Want[element(N, IncY, I)], XV[element(N, IncX, I)]);
      CHECK_BLAS(Api<T>::swap(H, N, X, IncX, Y, IncY));
      checkEqual(Y.values(), Want);
      checkEqual(X.values(), XV);

      for (int I = 0; I != N; ++I)
        Want[element(N, IncY, I)] = XV[element(N, IncX, I)];
      CHECK_BLAS(Api<T>::copy(H, N, X, IncX, Y, IncY));
      checkEqual(Y.values(), Want);

      if (IncX > 0)
        for (int I = 0; I != N; ++I)
          XV[I * IncX] *= toCx(Alpha);
      CHECK_BLAS(Api<T>::scal(H, N, &Alpha, X, IncX));
      checkEqual(X.values(), XV);
    }
}

TEMPLATE_TEST_CASE("vectors give numbers", "", BLAS_TYPES) {
  using T = TestType;
  using R = typename RealPart<T>::Type;
  Handle H;
  const int N = 9;
  for (int Inc : {1, 3}) {
    DeviceArray<T> X(N * 3), Y(N * 3);
    std::vector<Cx> XV = X.values(), YV = Y.values();
    Cx Dot = 0;
    double Squares = 0, Sum = 0;
    int Largest = 0, Smallest = 0;
    auto Size = [&](int I) {
      return std::abs(XV[I * Inc].real()) + std::abs(XV[I * Inc].imag());
    };
    for (int I = 0; I != N; ++I) {
      Dot += std::conj(XV[I * Inc]) * YV[element(N, -2, I)];
      Squares += std::norm(XV[I * Inc]);
      Sum += Size(I);
      Largest = Size(I) > Size(Largest) ? I : Largest;
      Smallest = Size(I) < Size(Smallest) ? I : Smallest;
    }
    T GotDot;
    R GotNorm, GotSum;
    int GotLargest, GotSmallest;
    CHECK_BLAS(Api<T>::dot(H, N, X, Inc, Y, -2, &GotDot));
    CHECK(toCx(GotDot) == Dot);
    CHECK_BLAS(Api<T>::nrm2(H, N, X, Inc, &GotNorm));
    CHECK(GotNorm == Approx(std::sqrt(Squares)));
    CHECK_BLAS(Api<T>::asum(H, N, X, Inc, &GotSum));
    CHECK(GotSum == Sum);
    CHECK_BLAS(Api<T>::amax(H, N, X, Inc, &GotLargest));
    CHECK(GotLargest == Largest + 1);
    CHECK_BLAS(Api<T>::amin(H, N, X, Inc, &GotSmallest));
    CHECK(GotSmallest == Smallest + 1);
    // Nothing of nothing.
    CHECK_BLAS(Api<T>::nrm2(H, 0, X, Inc, &GotNorm));
    CHECK(GotNorm == 0);
    CHECK_BLAS(Api<T>::amax(H, N, X, -1, &GotLargest));
    CHECK(GotLargest == 0);
  }
}

TEST_CASE("complex vectors have a second product and real factors") {
  Handle H;
  DeviceArray<cuComplex> X(4), Y(4);
  std::vector<Cx> XV = X.values(), YV = Y.values();
  Cx Want = std::inner_product(XV.begin(), XV.end(), YV.begin(), Cx(0));
  cuComplex Got;
  CHECK_BLAS(cublasCdotu(H, 4, X, 1, Y, 1, &Got));
  CHECK(toCx(Got) == Want);
  float Two = 2;
  CHECK_BLAS(cublasCsscal(H, 4, &Two, X, 1));
  for (Cx &V : XV)
    V *= 2;
  checkEqual(X.values(), XV);
}

TEST_CASE("rotations") {
  Handle H;
  DeviceArray<double> X(5), Y(5);
  std::vector<Cx> XV = X.values(), YV = Y.values();
  double A = 3, B = 4, C, S;
  CHECK_BLAS(cublasDrotg(H, &A, &B, &C, &S));
  CHECK(A == Approx(5));
  CHECK(C == Approx(0.6));
  CHECK(S == Approx(0.8));
  CHECK_BLAS(cublasDrot(H, 5, X, 1, Y, 1, &C, &S));
  for (int I = 0; I != 5; ++I) {
    Cx OldX = XV[I];
    XV[I] = C * OldX + S * YV[I];
    YV[I] = C * YV[I] - S * OldX;
  }
  checkEqual(X.values(), XV, 1e-12);
  checkEqual(Y.values(), YV, 1e-12);
  const double Swap[] = {1, 0.5, 0, 0, 2};
  CHECK_BLAS(cublasDrotm(H, 5, X, 1, Y, 1, Swap));
  for (int I = 0; I != 5; ++I) {
    Cx OldX = XV[I];
    XV[I] = 0.5 * OldX + YV[I];
    YV[I] = -OldX + 2.0 * YV[I];
  }
  checkEqual(X.values(), XV, 1e-12);
  checkEqual(Y.values(), YV, 1e-12);
}
