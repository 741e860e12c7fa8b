//===- BlasMixedTest.cpp - Products of mixed types ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every combination of types that cublasGemmEx serves, and one that it does
// not.
//
//===----------------------------------------------------------------------===//
#include "Blas.h"
#include "Numbers.h"

TEST_CASE("products of every combination of types, one and many") {
  Handle H;
  const int M = 3, N = 4, K = 2, Ld = 5, Stride = 30;
  for (const auto &T : Combinations)
    for (cublasOperation_t Op : {CUBLAS_OP_N, CUBLAS_OP_T})
      for (int Batch : {0, 1, 2}) {
        INFO("types " << T.In << ' ' << T.Out << ", batch " << Batch);
        const int Count = Batch ? 2 : 1;
        Numbers A(T.In, 2 * Stride), B(T.In, 2 * Stride), C(T.Out, 2 * Stride);
        std::vector<Cx> AV = A.Values, BV = B.Values, Want = C.values();
        for (int I = 0; I != Count; ++I) {
          Dense P =
              apply(Op, Op == CUBLAS_OP_N ? general(AV, M, K, Ld, I * Stride)
                                          : general(AV, K, M, Ld, I * Stride)) *
              apply(Op, Op == CUBLAS_OP_N ? general(BV, K, N, Ld, I * Stride)
                                          : general(BV, N, K, Ld, I * Stride));
          for (int J = 0; J != M * N; ++J) {
            Cx &To = Want[I * Stride + J % M + J / M * Ld];
            To = 2.0 * P.E[J] - To;
          }
        }
        Numbers Scale(T.Scale, 1);
        alignas(16) char Two[16], Minus[16];
        Scale.put(Two, 2);
        Scale.put(Minus, -1);
        const auto Algorithm = CUBLAS_GEMM_DEFAULT;
        if (Batch == 0)
          CHECK_BLAS(cublasGemmEx(H, Op, Op, M, N, K, Two, A.get(), T.In, Ld,
                                  B.get(), T.In, Ld, Minus, C.get(), T.Out, Ld,
                                  T.Compute, Algorithm));
        if (Batch == 1)
          CHECK_BLAS(cublasGemmStridedBatchedEx(
              H, Op, Op, M, N, K, Two, A.get(), T.In, Ld, Stride, B.get(), T.In,
              Ld, Stride, Minus, C.get(), T.Out, Ld, Stride, Count, T.Compute,
              Algorithm));
        if (Batch == 2) {
          auto Second = [&](const Numbers &X) {
            return static_cast<char *>(X.get()) + Stride * X.size();
          };
          void *Pointers[] = {A.get(),   Second(A), B.get(),
                              Second(B), C.get(),   Second(C)};
          void **Device;
          REQUIRE(cudaMalloc(reinterpret_cast<void **>(&Device),
                             sizeof(Pointers)) == cudaSuccess);
          cudaMemcpy(Device, Pointers, sizeof(Pointers),
                     cudaMemcpyHostToDevice);
          CHECK_BLAS(cublasGemmBatchedEx(
              H, Op, Op, M, N, K, Two, Device, T.In, Ld, Device + 2, T.In, Ld,
              Minus, Device + 4, T.Out, Ld, Count, T.Compute, Algorithm));
          cudaFree(Device);
        }
        checkEqual(C.values(), Want);
      }
}

TEST_CASE("half precision by name; scalars on the device; what is refused") {
  Handle H;
  Numbers A(CUDA_R_16F, 4), C(CUDA_R_16F, 4), Scale(CUDA_R_16F, 2);
  Dense X = general(A.Values, 2, 2, 2), Want = X * X;
  for (Cx &E : Want.E)
    E *= Scale.Values[0];
  for (int I = 0; I != 4; ++I)
    Want.E[I] += Scale.Values[1] * C.Values[I];
  auto *Factors = static_cast<__half *>(Scale.get());
  auto *AP = static_cast<__half *>(A.get()),
       *CP = static_cast<__half *>(C.get());
  CHECK_BLAS(cublasSetPointerMode(H, CUBLAS_POINTER_MODE_DEVICE));
  CHECK_BLAS(cublasHgemm(H, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, Factors, AP, 2,
                         AP, 2, Factors + 1, CP, 2));
  checkEqual(C.values(), Want.E);
  CHECK(cublasGemmEx(H, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, Factors, AP,
                     CUDA_R_16F, 2, AP, CUDA_R_16BF, 2, Factors, CP, CUDA_R_16F,
                     2, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
}
