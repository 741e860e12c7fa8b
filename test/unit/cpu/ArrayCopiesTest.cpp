//===- ArrayCopiesTest.cpp - Copies from and to arrays --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes move, which calls are refused, and the order in streams.
//
//===----------------------------------------------------------------------===//
#include "ArrayCalls.h"
#include "Support.h"

#include <atomic>
#include <numeric>
#include <thread>

static std::vector<float> counting(int N) {
  std::vector<float> V(N);
  std::iota(V.begin(), V.end(), 0.0f);
  return V;
}

static std::vector<float> contents(cudaArray_t A, int N) {
  std::vector<float> V(N);
  CHECK_CUDA(
      cudaMemcpyFromArray(V.data(), A, 0, 0, N * 4, cudaMemcpyDeviceToHost));
  return V;
}

TEST_CASE("bytes that go on from row to row") {
  cudaArray_t A = floatArray(4, 3);
  REQUIRE(A);
  std::vector<float> In = counting(12);
  CHECK_CUDA(cudaMemcpyToArray(A, 0, 0, In.data(), 48, cudaMemcpyHostToDevice));
  CHECK(contents(A, 12) == In);
  const float Two[] = {70, 80};
  CHECK_CUDA(cudaMemcpyToArray(A, 12, 1, Two, 8, cudaMemcpyHostToDevice));
  In[7] = 70;
  In[8] = 80;
  CHECK(contents(A, 12) == In);
  CHECK(cudaMemcpyToArray(A, 4, 2, Two, 16, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToArray(A, 0, 3, Two, 4, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToArray(A, 0, 0, Two, 4, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyFromArray(In.data(), A, 0, 0, 4, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyToArray(nullptr, 0, 0, Two, 4, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(A));
}

TEST_CASE("a rectangle of an array") {
  cudaArray_t A = floatArray(4, 3), B = floatArray(3, 3);
  std::vector<float> In = counting(12), Out(4, -1);
  CHECK_CUDA(cudaMemcpy2DToArray(A, 0, 0, In.data(), 16, 16, 3,
                                 cudaMemcpyHostToDevice));
  // Columns 1 and 2 of rows 1 and 2.
  CHECK_CUDA(cudaMemcpy2DFromArray(Out.data(), 8, A, 4, 1, 8, 2,
                                   cudaMemcpyDeviceToHost));
  CHECK(Out == std::vector<float>{5, 6, 9, 10});
  CHECK_CUDA(cudaMemcpy2DArrayToArray(B, 4, 1, A, 8, 0, 8, 2,
                                      cudaMemcpyDeviceToDevice));
  std::vector<float> Got = contents(B, 9);
  CHECK((Got[4] == 2 && Got[5] == 3 && Got[7] == 6 && Got[8] == 7));
  CHECK_CUDA(
      cudaMemcpyArrayToArray(B, 0, 0, A, 0, 2, 12, cudaMemcpyDeviceToDevice));
  Got = contents(B, 9);
  CHECK((Got[0] == 8 && Got[1] == 9 && Got[2] == 10));
  // No rows are no copy.
  CHECK_CUDA(cudaMemcpy2DToArray(A, 0, 0, Out.data(), 8, 8, 0,
                                 cudaMemcpyHostToDevice));
  CHECK(contents(A, 12) == In);
  CHECK(cudaMemcpy2DToArray(A, 12, 0, In.data(), 16, 8, 1,
                            cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(A, 0, 2, In.data(), 16, 8, 2,
                            cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(A, 0, 0, In.data(), 4, 8, 2,
                            cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK_CUDA(cudaFreeArray(A));
  CHECK_CUDA(cudaFreeArray(B));
}

TEST_CASE("a box of a three-dimensional array") {
  cudaArray_t A;
  REQUIRE_CUDA(cudaMalloc3DArray(&A, &FloatDesc, {4, 3, 2}, 0));
  std::vector<float> In = counting(24), Out(8, -1);
  cudaMemcpy3DParms P = {};
  P.srcPtr = {In.data(), 16, 4, 3};
  P.dstArray = A;
  P.extent = {4, 3, 2};
  P.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&P));
  cudaMemcpy3DParms Q = {};
  Q.srcArray = A;
  Q.srcPos = {1, 1, 0};
  Q.dstPtr = {Out.data(), 8, 2, 2};
  Q.extent = {2, 2, 2};
  Q.kind = cudaMemcpyDeviceToHost;
  CHECK_CUDA(cudaMemcpy3D(&Q));
  CHECK(Out == std::vector<float>{5, 6, 9, 10, 17, 18, 21, 22});
  Q.srcPos = {3, 1, 0};
  CHECK(cudaMemcpy3D(&Q) == cudaErrorInvalidValue);
  Q.srcPos = {1, 1, 1};
  CHECK(cudaMemcpy3D(&Q) == cudaErrorInvalidValue);
  Q.srcPos = {0, 0, 0};
  Q.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&Q) == cudaErrorInvalidMemcpyDirection);
  Q.srcPtr = Q.dstPtr; // both
  CHECK(cudaMemcpy3D(&Q) == cudaErrorInvalidValue);
  // Such an array has no rows for calls of two dimensions.
  CHECK(cudaMemcpy2DToArray(A, 0, 0, In.data(), 16, 16, 1,
                            cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(A));
}

TEST_CASE("a box of pitched memory") {
  cudaPitchedPtr D;
  REQUIRE_CUDA(cudaMalloc3D(&D, {12, 3, 2}));
  CHECK((D.pitch >= 12 && D.xsize == 12 && D.ysize == 3));
  std::vector<float> In = counting(18), Out(18, -1);
  cudaMemcpy3DParms P = {};
  P.srcPtr = {In.data(), 12, 3, 3};
  P.dstPtr = D;
  P.extent = {12, 3, 2}; // bytes
  P.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&P));
  std::swap(P.srcPtr, P.dstPtr);
  P.dstPtr.ptr = Out.data();
  P.kind = cudaMemcpyDeviceToHost;
  CHECK_CUDA(cudaMemcpy3DAsync(&P, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(Out == In);
  P.extent.height = 4; // more rows than a slice has
  CHECK(cudaMemcpy3D(&P) == cudaErrorInvalidValue);
  P.extent = {12, 3, 3};
  CHECK(cudaMemcpy3D(&P) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(D.ptr));
}

TEST_CASE("an asynchronous copy to an array follows its stream") {
  TestKernel K(
      "slowFill", TestKernel::Loop,
      [](const EchoCpuBlock *B) {
        while (!param<std::atomic<int> *>(B, 0)->load())
          std::this_thread::yield();
        for (int I = 0; I != 12; ++I)
          param<float *>(B, 1)[I] = 5;
      },
      2);
  std::atomic<int> Gate{0};
  float *D;
  cudaStream_t S;
  cudaArray_t A = floatArray(4, 3);
  REQUIRE_CUDA(cudaMalloc((void **)&D, 48));
  REQUIRE_CUDA(cudaStreamCreate(&S));
  CHECK_CUDA(cudaMemset(D, 0, 48));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, S, &Gate, D));
  CHECK_CUDA(cudaMemcpy2DToArrayAsync(A, 0, 0, D, 16, 16, 3,
                                      cudaMemcpyDeviceToDevice, S));
  CHECK(cudaStreamQuery(S) == cudaErrorNotReady);
  Gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(S));
  CHECK(contents(A, 12) == std::vector<float>(12, 5));
  CHECK_CUDA(cudaStreamDestroy(S));
  CHECK_CUDA(cudaFree(D));
  CHECK_CUDA(cudaFreeArray(A));
}
