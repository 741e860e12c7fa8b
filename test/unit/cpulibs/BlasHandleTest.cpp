//===- BlasHandleTest.cpp - Handles, streams, scalars and transfers -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When work runs and when its scalars are read; what bad arguments give.
//
//===----------------------------------------------------------------------===//
#include "Blas.h"

#include <atomic>
#include <thread>

/// Holds a stream back until it is opened.
struct Gate {
  std::atomic<bool> Open{false}, Reached{false};
  static void pass(void *P) {
    auto *G = static_cast<Gate *>(P);
    G->Reached = true;
    while (!G->Open)
      std::this_thread::yield();
  }
};

TEST_CASE("calls are work of the handle's stream") {
  Handle H;
  cudaStream_t S, Got;
  REQUIRE(cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking) == cudaSuccess);
  CHECK_BLAS(cublasSetStream(H, S));
  CHECK_BLAS(cublasGetStream(H, &Got));
  CHECK(Got == S);
  DeviceArray<float> X(8), Y(8), Two(1);
  std::vector<Cx> XV = X.values(), Want = Y.values();
  Two.write({2});
  Gate G;
  REQUIRE(cudaLaunchHostFunc(S, Gate::pass, &G) == cudaSuccess);
  float Alpha = 3;
  CHECK_BLAS(cublasSaxpy(H, 8, &Alpha, X, 1, Y, 1));
  // A scalar of the host is read at the call, one of the device later.
  Alpha = 100;
  CHECK_BLAS(cublasSetPointerMode(H, CUBLAS_POINTER_MODE_DEVICE));
  CHECK_BLAS(cublasSaxpy(H, 8, Two, X, 1, Y, 1));
  Two.write({5});
  checkEqual(Y.values(), Want);
  CHECK(cudaStreamQuery(S) == cudaErrorNotReady);
  cudaGetLastError();
  G.Open = true;
  REQUIRE(cudaStreamSynchronize(S) == cudaSuccess);
  for (int I = 0; I != 8; ++I)
    Want[I] += 8.0 * XV[I];
  checkEqual(Y.values(), Want);
  CHECK_BLAS(cublasSetStream(H, nullptr));
  CHECK(cudaStreamDestroy(S) == cudaSuccess);
}

TEST_CASE("a result in host memory is waited for, one on the device is not") {
  Handle H;
  cudaStream_t S;
  REQUIRE(cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking) == cudaSuccess);
  CHECK_BLAS(cublasSetStream(H, S));
  DeviceArray<float> X(4), Sum(1);
  X.write({1, -2, 3, -4});
  Sum.write({-1});
  float Got = 0;
  CHECK_BLAS(cublasSasum(H, 4, X, 1, &Got));
  CHECK(Got == 10);
  Gate G;
  REQUIRE(cudaLaunchHostFunc(S, Gate::pass, &G) == cudaSuccess);
  CHECK_BLAS(cublasSetPointerMode(H, CUBLAS_POINTER_MODE_DEVICE));
  CHECK_BLAS(cublasSasum(H, 4, X, 1, Sum));
  CHECK(Sum.read()[0] == -1);
  G.Open = true;
  REQUIRE(cudaStreamSynchronize(S) == cudaSuccess);
  CHECK(Sum.read()[0] == 10);
  CHECK(cudaStreamDestroy(S) == cudaSuccess);
}

TEST_CASE("bad handles and arguments") {
  CHECK(cublasCreate(nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetStream(nullptr, nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  cublasHandle_t Dead;
  CHECK_BLAS(cublasCreate(&Dead));
  CHECK_BLAS(cublasDestroy(Dead));
  float One = 1;
  CHECK(cublasSscal(Dead, 1, &One, nullptr, 1) ==
        CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasDestroy(Dead) == CUBLAS_STATUS_NOT_INITIALIZED);
  Handle H;
  DeviceArray<float> A(4);
  auto Gemm = [&](cublasOperation_t Op, int M, int LdA, const float *Alpha) {
    return cublasSgemm(H, Op, CUBLAS_OP_N, M, 2, 2, Alpha, A, LdA, A, 2, &One,
                       A, 2);
  };
  CHECK_BLAS(Gemm(CUBLAS_OP_N, 2, 2, &One));
  CHECK(Gemm(cublasOperation_t(9), 2, 2, &One) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(Gemm(CUBLAS_OP_N, -1, 2, &One) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(Gemm(CUBLAS_OP_N, 2, 1, &One) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(Gemm(CUBLAS_OP_N, 2, 2, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSgemv(H, CUBLAS_OP_N, 2, 2, &One, A, 2, A, 0, &One, A, 1) ==
        CUBLAS_STATUS_INVALID_VALUE);
  cudaStream_t Destroyed;
  REQUIRE(cudaStreamCreate(&Destroyed) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(Destroyed) == cudaSuccess);
  CHECK_BLAS(cublasSetStream(H, Destroyed));
  CHECK(cublasSscal(H, 4, &One, A, 1) == CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK(std::string(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE)) ==
        "CUBLAS_STATUS_INVALID_VALUE");
}

TEST_CASE("settings are kept") {
  Handle H;
  cublasMath_t Math;
  CHECK_BLAS(cublasSetMathMode(H, CUBLAS_TF32_TENSOR_OP_MATH));
  CHECK_BLAS(cublasGetMathMode(H, &Math));
  CHECK(Math == CUBLAS_TF32_TENSOR_OP_MATH);
  cublasPointerMode_t Mode;
  CHECK_BLAS(cublasGetPointerMode(H, &Mode));
  CHECK(Mode == CUBLAS_POINTER_MODE_HOST);
  CHECK_BLAS(cublasSetWorkspace(H, nullptr, 0));
  int Version;
  CHECK_BLAS(cublasGetVersion(H, &Version));
  CHECK(Version == CUBLAS_VERSION);
}

TEST_CASE("transfers of vectors and matrices") {
  DeviceArray<float> D(24);
  std::vector<float> Host(24), Back(24, -1);
  for (int I = 0; I != 24; ++I)
    Host[I] = I;
  auto Want = D.read();
  for (int I = 0; I != 6; ++I)
    Want[I * 3] = Host[I * 2];
  CHECK_BLAS(cublasSetVector(6, sizeof(float), Host.data(), 2, D, 3));
  CHECK(D.read() == Want);
  CHECK_BLAS(cublasGetVector(6, sizeof(float), D, 3, Back.data(), 1));
  CHECK(Back[5] == Host[10]);
  CHECK(Back[6] == -1);
  for (int J = 0; J != 4; ++J)
    for (int I = 0; I != 3; ++I)
      Want[I + J * 6] = Host[I + J * 5];
  CHECK_BLAS(cublasSetMatrix(3, 4, sizeof(float), Host.data(), 5, D, 6));
  CHECK(D.read() == Want);
  CHECK_BLAS(cublasGetMatrix(3, 4, sizeof(float), D, 6, Back.data(), 3));
  CHECK(Back[11] == Host[17]);
  CHECK_BLAS(
      cublasSetVectorAsync(24, sizeof(float), Host.data(), 1, D, 1, nullptr));
  CHECK(D.read() == Host);
  CHECK(cublasSetVector(6, sizeof(float), Host.data(), 0, D, 3) ==
        CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetMatrix(7, 1, sizeof(float), Host.data(), 5, D, 6) ==
        CUBLAS_STATUS_INVALID_VALUE);
}
