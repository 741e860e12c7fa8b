//===- CopiesTest.cpp - Copies and sets -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data, waits by kind of memory, and refused arguments.
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <atomic>
#include <cstring>
#include <thread>

/// Fills ints once *Gate is set.
static void slowFill(const EchoCpuBlock *B) {
  auto *Gate = param<std::atomic<int> *>(B, 0);
  while (!Gate->load())
    std::this_thread::yield();
  auto *Data = param<int *>(B, 1);
  for (long I = 0, N = param<long>(B, 2); I != N; ++I)
    Data[I] = param<int>(B, 3);
}

static constexpr int N = 1000;
static constexpr size_t Bytes = N * sizeof(int);

TEST_CASE("a round trip through the device") {
  std::vector<int> In(N), Out(N);
  for (int I = 0; I != N; ++I)
    In[I] = I * I;
  void *A, *B;
  REQUIRE_CUDA(cudaMalloc(&A, Bytes));
  REQUIRE_CUDA(cudaMalloc(&B, Bytes));
  CHECK_CUDA(cudaMemcpy(A, In.data(), Bytes, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(B, A, Bytes, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemcpy(Out.data(), B, Bytes, cudaMemcpyDefault));
  CHECK(In == Out);
  CHECK_CUDA(cudaMemset(A, 0x11, Bytes));
  CHECK_CUDA(cudaMemcpy(Out.data(), A, Bytes, cudaMemcpyDeviceToHost));
  CHECK((Out[0] == 0x11111111 && Out[N - 1] == 0x11111111));
  CHECK_CUDA(cudaFree(A));
  CHECK_CUDA(cudaFree(B));
}

TEST_CASE("a copy in an idle blocking stream follows the legacy stream") {
  TestKernel K("slowFill", TestKernel::Loop, slowFill, 4);
  std::atomic<int> Gate{1};
  int *D;
  cudaStream_t S;
  REQUIRE_CUDA(cudaMalloc((void **)&D, Bytes));
  REQUIRE_CUDA(cudaStreamCreate(&S));
  std::vector<int> Out(N);
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &Gate, D, N, 6));
  CHECK_CUDA(cudaMemcpyAsync(Out.data(), D, Bytes, cudaMemcpyDeviceToHost, S));
  CHECK_CUDA(cudaStreamSynchronize(S));
  CHECK(Out[N - 1] == 6);
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &Gate, D, N, 7));
  CHECK_CUDA(cudaMemcpyAsync(Out.data(), D, Bytes, cudaMemcpyDeviceToHost,
                             cudaStreamPerThread));
  CHECK_CUDA(cudaStreamSynchronize(cudaStreamPerThread));
  CHECK(Out[N - 1] == 7);
  CHECK_CUDA(cudaStreamDestroy(S));
  CHECK_CUDA(cudaFree(D));
}

TEST_CASE("a copy to pageable memory waits, one to pinned memory does not") {
  TestKernel K("slowFill", TestKernel::Loop, slowFill, 4);
  std::atomic<int> Gate{0};
  int *D, *Pinned;
  REQUIRE_CUDA(cudaMalloc((void **)&D, Bytes));
  REQUIRE_CUDA(cudaMallocHost((void **)&Pinned, Bytes));
  memset(Pinned, 0, Bytes);
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &Gate, D, N, 5));
  CHECK_CUDA(
      cudaMemcpyAsync(Pinned, D, Bytes, cudaMemcpyDeviceToHost, nullptr));
  CHECK(Pinned[0] == 0);
  std::thread Opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    Gate = 1;
  });
  std::vector<int> Out(N);
  CHECK_CUDA(
      cudaMemcpyAsync(Out.data(), D, Bytes, cudaMemcpyDeviceToHost, nullptr));
  CHECK(Gate == 1);
  CHECK(Out[N - 1] == 5);
  CHECK(Pinned[N - 1] == 5);
  Opener.join();
  CHECK_CUDA(cudaFree(D));
  CHECK_CUDA(cudaFreeHost(Pinned));
}

TEST_CASE("an asynchronous pageable source may be reused at once") {
  TestKernel K("slowFill", TestKernel::Loop, slowFill, 4);
  std::atomic<int> Gate{0};
  int *D;
  REQUIRE_CUDA(cudaMalloc((void **)&D, Bytes));
  std::vector<int> In(N, 1), Out(N);
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &Gate, D, N, 5));
  CHECK_CUDA(
      cudaMemcpyAsync(D, In.data(), Bytes, cudaMemcpyHostToDevice, nullptr));
  CHECK(Gate == 0);
  In.assign(N, 2);
  Gate = 1;
  CHECK_CUDA(cudaMemcpy(Out.data(), D, Bytes, cudaMemcpyDeviceToHost));
  CHECK(Out == std::vector<int>(N, 1));
  CHECK_CUDA(cudaFree(D));
}

TEST_CASE("device copies and sets do not wait") {
  TestKernel K("slowFill", TestKernel::Loop, slowFill, 4);
  std::atomic<int> Gate{0};
  int *A, *B;
  REQUIRE_CUDA(cudaMalloc((void **)&A, Bytes));
  REQUIRE_CUDA(cudaMalloc((void **)&B, Bytes));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &Gate, A, N, 5));
  CHECK_CUDA(cudaMemcpy(B, A, Bytes, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemset(A, 0, Bytes));
  CHECK(Gate == 0);
  Gate = 1;
  std::vector<int> Out(N);
  CHECK_CUDA(cudaMemcpy(Out.data(), B, Bytes, cudaMemcpyDeviceToHost));
  CHECK(Out[7] == 5);
  CHECK_CUDA(cudaMemcpy(Out.data(), A, Bytes, cudaMemcpyDeviceToHost));
  CHECK(Out[7] == 0);
  CHECK_CUDA(cudaFree(A));
  CHECK_CUDA(cudaFree(B));
}

TEST_CASE("two-dimensional copies and sets") {
  char *D;
  size_t Pitch = 0;
  REQUIRE_CUDA(cudaMallocPitch((void **)&D, &Pitch, 100, 10));
  CHECK(Pitch == 512);
  std::vector<char> In(120 * 10), Out(110 * 10, 'x');
  for (int I = 0; I != 1200; ++I)
    In[I] = I / 120 + 'a';
  CHECK_CUDA(cudaMemset2D(D, Pitch, '-', 100, 10));
  CHECK_CUDA(
      cudaMemcpy2D(D, Pitch, In.data(), 120, 50, 10, cudaMemcpyHostToDevice));
  CHECK_CUDA(
      cudaMemcpy2D(Out.data(), 110, D, Pitch, 100, 10, cudaMemcpyDeviceToHost));
  for (int Row = 0; Row != 10; ++Row) {
    CHECK(Out[Row * 110 + 49] == 'a' + Row);
    CHECK(Out[Row * 110 + 50] == '-');
    CHECK(Out[Row * 110 + 100] == 'x');
  }
  CHECK(cudaMemcpy2D(Out.data(), 90, D, Pitch, 100, 10,
                     cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue);
  CHECK_CUDA(cudaFree(D));
  cudaGetLastError();
}

TEST_CASE("wrong copies are refused") {
  char *D;
  char H[16];
  REQUIRE_CUDA(cudaMalloc((void **)&D, 16));
  CHECK(cudaMemcpy(H, D, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(D, H, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(D, H, 17, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, H, 16, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(D, H, 16, cudaMemcpyKind(9)) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemset(D + 8, 0, 9) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemcpy(D, H, 0, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaFree(D));
  cudaGetLastError();
}
