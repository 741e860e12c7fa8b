//===- BlasLevel3Test.cpp - Matrix times matrix ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of level 3, batches, and cuBLAS's own additions, in all modes.
//
//===----------------------------------------------------------------------===//
#include "Blas.h"

/// C := alpha P + beta C in its upper left corner, or in one triangle of it.
static std::vector<Cx> update(std::vector<Cx> C, int Ld, const Dense &P,
                              Cx Alpha, Cx Beta, size_t Offset = 0,
                              const cublasFillMode_t *Fill = nullptr) {
  for (int I = 0; I != P.Rows; ++I)
    for (int J = 0; J != P.Cols; ++J)
      if (!Fill || inTriangle(*Fill, I, J)) {
        Cx &To = C[Offset + I + size_t(J) * Ld];
        To = Alpha * P.at(I, J) + Beta * To;
      }
  return C;
}

TEMPLATE_TEST_CASE("products, one and many", "", BLAS_TYPES) {
  using T = TestType;
  Handle H;
  const int M = 4, N = 3, K = 5, Ld = 6, Stride = 40, Count = 3;
  T Alpha = fromCx<T>({2, 1}), Beta = fromCx<T>({-1, 2});
  for (cublasOperation_t TA : Ops)
    for (cublasOperation_t TB : Ops) {
      DeviceArray<T> A(Stride * Count), B(Stride * Count), C(Stride * Count);
      auto Want = [&](int Batches) {
        std::vector<Cx> Result = C.values(), AV = A.values(), BV = B.values();
        for (int I = 0; I != Batches; ++I) {
          Dense OpA =
              apply(TA, TA == CUBLAS_OP_N ? general(AV, M, K, Ld, I * Stride)
                                          : general(AV, K, M, Ld, I * Stride));
          Dense OpB =
              apply(TB, TB == CUBLAS_OP_N ? general(BV, K, N, Ld, I * Stride)
                                          : general(BV, N, K, Ld, I * Stride));
          Result = update(Result, Ld, OpA * OpB, toCx(Alpha), toCx(Beta),
                          I * Stride);
        }
        return Result;
      };
      auto One = Want(1);
      CHECK_BLAS(
          Api<T>::gemm(H, TA, TB, M, N, K, &Alpha, A, Ld, B, Ld, &Beta, C, Ld));
      checkEqual(C.values(), One);
      auto All = Want(Count);
      CHECK_BLAS(Api<T>::strided(H, TA, TB, M, N, K, &Alpha, A, Ld, Stride, B,
                                 Ld, Stride, &Beta, C, Ld, Stride, Count));
      checkEqual(C.values(), All);
      All = Want(Count);
      T *Pointers[3][Count];
      for (int I = 0; I != Count; ++I) {
        Pointers[0][I] = A + I * Stride;
        Pointers[1][I] = B + I * Stride;
        Pointers[2][I] = C + I * Stride;
      }
      T **Device;
      REQUIRE(cudaMalloc(reinterpret_cast<void **>(&Device),
                         sizeof(Pointers)) == cudaSuccess);
      cudaMemcpy(Device, Pointers, sizeof(Pointers), cudaMemcpyHostToDevice);
      CHECK_BLAS(Api<T>::batched(H, TA, TB, M, N, K, &Alpha, Device, Ld,
                                 Device + Count, Ld, &Beta, Device + 2 * Count,
                                 Ld, Count));
      checkEqual(C.values(), All);
      cudaFree(Device);
    }
}

TEMPLATE_TEST_CASE("products of symmetric and Hermitian matrices", "",
                   BLAS_TYPES) {
  using T = TestType;
  Handle H;
  const int M = 4, N = 3, Ld = 5;
  T Alpha = fromCx<T>({2, 1}), Beta = fromCx<T>({-1, 2});
  for (cublasSideMode_t Side : Sides)
    for (cublasFillMode_t Fill : Fills)
      for (bool Hermitian : {false, true}) {
        DeviceArray<T> A(Ld * Ld), B(Ld * N), C(Ld * N);
        bool Left = Side == CUBLAS_SIDE_LEFT;
        Dense AD = symmetric(Storage::Full, A.values(), Fill,
                             Hermitian && IsComplex<T>, Left ? M : N, 0, Ld);
        Dense BD = general(B.values(), M, N, Ld);
        auto Want = update(C.values(), Ld, Left ? AD * BD : BD * AD,
                           toCx(Alpha), toCx(Beta));
        auto *Fn = Hermitian ? Api<T>::hemm : Api<T>::symm;
        CHECK_BLAS(Fn(H, Side, Fill, M, N, &Alpha, A, Ld, B, Ld, &Beta, C, Ld));
        checkEqual(C.values(), Want);
      }
}

TEMPLATE_TEST_CASE("rank k updates", "", BLAS_TYPES) {
  using T = TestType;
  using R = typename RealPart<T>::Type;
  Handle H;
  const int N = 4, K = 3, Ld = 6;
  T Alpha = fromCx<T>({2, 1}), Beta = fromCx<T>({-1, 2});
  R RealAlpha = 2, RealBeta = 3;
  for (cublasFillMode_t Fill : Fills)
    for (bool Transposed : {false, true})
      for (bool Hermitian : {false, true}) {
        DeviceArray<T> A(Ld * Ld), B(Ld * Ld), C(Ld * N);
        const auto Other = Hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
        const auto Op = Transposed ? Other : CUBLAS_OP_N;
        auto Side = [&](const DeviceArray<T> &X) {
          return apply(Op, Transposed ? general(X.values(), K, N, Ld)
                                      : general(X.values(), N, K, Ld));
        };
        // Diagonals of Hermitian matrices are real.
        std::vector<T> CV = C.read();
        for (int I = 0; Hermitian && I != N; ++I)
          CV[I + I * Ld] = fromCx<T>(toCx(CV[I + I * Ld]).real());
        C.write(CV);
        Dense AD = Side(A), BD = Side(B);
        auto Want = update(C.values(), Ld, AD * apply(Other, AD),
                           Hermitian ? Cx(RealAlpha) : toCx(Alpha),
                           Hermitian ? Cx(RealBeta) : toCx(Beta), 0, &Fill);
        if (Hermitian)
          CHECK_BLAS(Api<T>::herk(H, Fill, Op, N, K, &RealAlpha, A, Ld,
                                  &RealBeta, C, Ld));
        else
          CHECK_BLAS(
              Api<T>::syrk(H, Fill, Op, N, K, &Alpha, A, Ld, &Beta, C, Ld));
        checkEqual(C.values(), Want);

        Cx Second = Hermitian ? std::conj(toCx(Alpha)) : toCx(Alpha);
        Want = update(C.values(), Ld, AD * apply(Other, BD), toCx(Alpha),
                      Hermitian ? Cx(RealBeta) : toCx(Beta), 0, &Fill);
        Want = update(Want, Ld, BD * apply(Other, AD), Second, 1, 0, &Fill);
        if (Hermitian)
          CHECK_BLAS(Api<T>::her2k(H, Fill, Op, N, K, &Alpha, A, Ld, B, Ld,
                                   &RealBeta, C, Ld));
        else
          CHECK_BLAS(Api<T>::syr2k(H, Fill, Op, N, K, &Alpha, A, Ld, B, Ld,
                                   &Beta, C, Ld));
        checkEqual(C.values(), Want);
      }
}

TEMPLATE_TEST_CASE("triangular products and systems", "", BLAS_TYPES) {
  using T = TestType;
  Handle H;
  const int M = 4, N = 3, Ld = 5;
  T Alpha = fromCx<T>(2), Half = fromCx<T>(0.5);
  for (cublasSideMode_t Side : Sides)
    for (cublasFillMode_t Fill : Fills)
      for (cublasOperation_t Op : Ops)
        for (cublasDiagType_t Diag : Diags) {
          DeviceArray<T> A(Ld * Ld), B(Ld * N), C(Ld * N);
          std::vector<T> AV = A.read();
          for (int I = 0; I != Ld; ++I)
            AV[I + I * Ld] = fromCx<T>(I % 2 ? -2 : 1);
          A.write(AV);
          bool Left = Side == CUBLAS_SIDE_LEFT;
          Dense AD = apply(Op, triangle(Storage::Full, A.values(), Fill, Diag,
                                        Left ? M : N, 0, Ld));
          Dense BD = general(B.values(), M, N, Ld);
          auto Want =
              update(C.values(), Ld, Left ? AD * BD : BD * AD, toCx(Alpha), 0);
          CHECK_BLAS(Api<T>::trmm(H, Side, Fill, Op, Diag, M, N, &Alpha, A, Ld,
                                  B, Ld, C, Ld));
          checkEqual(C.values(), Want);
          CHECK_BLAS(
              Api<T>::trsm(H, Side, Fill, Op, Diag, M, N, &Half, A, Ld, C, Ld));
          checkEqual(general(C.values(), M, N, Ld).E, BD.E, 1e-3);
          // In place.
          CHECK_BLAS(Api<T>::trmm(H, Side, Fill, Op, Diag, M, N, &Alpha, A, Ld,
                                  B, Ld, B, Ld));
          checkEqual(general(B.values(), M, N, Ld).E,
                     general(Want, M, N, Ld).E);
        }
}

TEMPLATE_TEST_CASE("sums, transpositions and diagonals", "", BLAS_TYPES) {
  using T = TestType;
  Handle H;
  const int M = 3, N = 4, Ld = 5;
  T Alpha = fromCx<T>({2, 1}), Beta = fromCx<T>({-1, 2});
  for (cublasOperation_t TA : Ops)
    for (cublasOperation_t TB : Ops) {
      DeviceArray<T> A(Ld * Ld), B(Ld * Ld), C(Ld * N);
      auto Side = [&](cublasOperation_t Op, const DeviceArray<T> &X) {
        return apply(Op, Op == CUBLAS_OP_N ? general(X.values(), M, N, Ld)
                                           : general(X.values(), N, M, Ld));
      };
      auto Want = update(C.values(), Ld, Side(TA, A), toCx(Alpha), 0);
      Want = update(Want, Ld, Side(TB, B), toCx(Beta), 1);
      CHECK_BLAS(
          Api<T>::geam(H, TA, TB, M, N, &Alpha, A, Ld, &Beta, B, Ld, C, Ld));
      checkEqual(C.values(), Want);
    }
  for (cublasSideMode_t Side : Sides)
    for (int Inc : {1, -2}) {
      DeviceArray<T> A(Ld * N), X(2 * Ld), C(Ld * N);
      int Length = Side == CUBLAS_SIDE_LEFT ? M : N;
      Dense D(Length, Length);
      Dense XV = vectorOf(X.values(), Length, Inc);
      for (int I = 0; I != Length; ++I)
        D.at(I, I) = XV.E[I];
      Dense AD = general(A.values(), M, N, Ld);
      auto Want = update(C.values(), Ld,
                         Side == CUBLAS_SIDE_LEFT ? D * AD : AD * D, 1, 0);
      CHECK_BLAS(Api<T>::dgmm(H, Side, M, N, A, Ld, X, Inc, C, Ld));
      checkEqual(C.values(), Want);
    }
}
