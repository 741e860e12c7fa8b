//===- LaunchTest.cpp - Launches, shapes, parameters, symbols -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels without barriers: every block and thread runs once, errors are
// CUDA's.
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <atomic>
#include <cstring>

static void countThreads(const EchoCpuBlock *B) {
  auto *Hits = param<std::atomic<int> *>(B, 0);
  uint64_t Block =
      B->blockIdx[0] +
      uint64_t(B->gridDim[0]) *
          (B->blockIdx[1] + uint64_t(B->gridDim[1]) * B->blockIdx[2]);
  for (unsigned T = 0; T != blockThreads(B); ++T)
    Hits[Block * blockThreads(B) + T].fetch_add(1, std::memory_order_relaxed);
}

TEST_CASE("every thread of every block runs once") {
  TestKernel K("count", TestKernel::Loop, countThreads, 1);
  for (auto [Grid, Block] : {std::pair{dim3{1, 1, 1}, dim3{1, 1, 1}},
                             {dim3{1000, 1, 1}, dim3{7, 1, 1}},
                             {dim3{3, 5, 7}, dim3{4, 3, 2}},
                             {dim3{2, 1, 100}, dim3{1, 1, 64}}}) {
    size_t N = size_t(Grid.x) * Grid.y * Grid.z * Block.x * Block.y * Block.z;
    std::vector<std::atomic<int>> Hits(N);
    REQUIRE_CUDA(K.launch(Grid, Block, 0, nullptr, Hits.data()));
    REQUIRE_CUDA(cudaDeviceSynchronize());
    bool All = true;
    for (auto &H : Hits)
      All &= H == 1;
    CHECK(All);
  }
}

TEST_CASE("parameters are copied at the launch") {
  TestKernel K(
      "store", TestKernel::Loop,
      [](const EchoCpuBlock *B) { *param<long *>(B, 0) = param<long>(B, 1); },
      2);
  long Out[2] = {};
  uint64_t A = (uint64_t)&Out[0], V = 41;
  void *Args[] = {&A, &V};
  REQUIRE_CUDA(cudaLaunchKernel(K.stub(), {}, {}, Args, 0, nullptr));
  A = (uint64_t)&Out[1];
  V = 42;
  REQUIRE_CUDA(cudaLaunchKernel(K.stub(), {}, {}, Args, 0, nullptr));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  CHECK(Out[0] == 41);
  CHECK(Out[1] == 42);
}

TEST_CASE("static and dynamic shared memory") {
  TestKernel K(
      "shared", TestKernel::Loop,
      [](const EchoCpuBlock *B) {
        memset(B->sharedMem, 1, 100);
        char *Dynamic = B->sharedMem + B->dynamicSharedOffset;
        memset(Dynamic, 2, B->dynamicSharedBytes);
        auto *Out = param<int *>(B, 0);
        Out[0] = B->sharedMem[0] + B->sharedMem[99];
        Out[1] = B->dynamicSharedBytes;
        Out[2] = reinterpret_cast<uintptr_t>(B->sharedMem) % 256;
      },
      1, 100);
  int Out[3] = {};
  REQUIRE_CUDA(K.launch({1}, {1}, 40000, nullptr, Out));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  CHECK(Out[0] == 2);
  CHECK(Out[1] == 40000);
  CHECK(Out[2] == 0);

  CHECK(K.launch({1}, {1}, 49100, nullptr, Out) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(K.stub(),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             228 << 10) == cudaErrorInvalidValue);
  REQUIRE_CUDA(cudaFuncSetAttribute(
      K.stub(), cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  CHECK_CUDA(K.launch({1}, {1}, 100 << 10, nullptr, Out));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(Out[1] == 100 << 10);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("wrong launches are refused") {
  TestKernel K("none", TestKernel::Loop, [](const EchoCpuBlock *) {}, 0, 0, 64);
  CHECK(K.launch({0}, {1}, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(K.launch({1}, {0}, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(K.launch({1}, {1025}, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(K.launch({1}, {64, 64}, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(K.launch({1}, {1, 1, 65}, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(K.launch({1, 65536}, {1}, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(K.launch({1}, {65}, 0, nullptr) == cudaErrorInvalidValue);
  int Unknown = 0;
  CHECK(cudaLaunchKernel(&Unknown, {}, {}, nullptr, 0, nullptr) ==
        cudaErrorInvalidDeviceFunction);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a cooperative grid must fit the workers") {
  TestKernel K("coop", TestKernel::Loop, countThreads, 1);
  int Workers = 0, PerWorker = 0;
  REQUIRE_CUDA(cudaDeviceGetAttribute(&Workers, 16, 0));
  REQUIRE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&PerWorker,
                                                             K.stub(), 32, 0));
  CHECK(PerWorker == 1);
  std::vector<std::atomic<int>> Hits(Workers);
  auto *Data = Hits.data();
  void *Args[] = {&Data};
  CHECK_CUDA(cudaLaunchCooperativeKernel(K.stub(), {unsigned(Workers)}, {1},
                                         Args, 0, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (auto &H : Hits)
    CHECK(H == 1);
  CHECK(cudaLaunchCooperativeKernel(K.stub(), {unsigned(Workers) + 1}, {1},
                                    Args, 0, nullptr) ==
        cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
}

TEST_CASE("a cooperative grid's blocks run at once") {
  TestKernel K(
      "meet", TestKernel::Loop,
      [](const EchoCpuBlock *B) {
        auto *Count = param<std::atomic<unsigned> *>(B, 0);
        Count->fetch_add(1);
        while (Count->load() < B->gridDim[0])
          echo_cpu_yield();
      },
      1);
  int Workers = 0;
  REQUIRE_CUDA(cudaDeviceGetAttribute(&Workers, 16, 0));
  cudaStream_t S[2];
  std::atomic<unsigned> Count[2] = {};
  for (int I = 0; I != 2; ++I) {
    REQUIRE_CUDA(cudaStreamCreateWithFlags(&S[I], cudaStreamNonBlocking));
    auto *Data = &Count[I];
    void *Args[] = {&Data};
    REQUIRE_CUDA(cudaLaunchCooperativeKernel(K.stub(), {unsigned(Workers)}, {1},
                                             Args, 0, S[I]));
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  for (cudaStream_t Each : S)
    CHECK_CUDA(cudaStreamDestroy(Each));
}

TEST_CASE("call configurations nest") {
  __cudaPushCallConfiguration({1}, {2}, 3, cudaStreamPerThread);
  __cudaPushCallConfiguration({4}, {5}, 6, nullptr);
  dim3 Grid, Block;
  size_t Shared = 0;
  cudaStream_t S = nullptr;
  CHECK_CUDA(__cudaPopCallConfiguration(&Grid, &Block, &Shared, &S));
  CHECK((Grid.x == 4 && Block.x == 5 && Shared == 6 && !S));
  CHECK_CUDA(__cudaPopCallConfiguration(&Grid, &Block, &Shared, &S));
  CHECK((Grid.x == 1 && Block.x == 2 && S == cudaStreamPerThread));
  CHECK(__cudaPopCallConfiguration(&Grid, &Block, &Shared, &S) ==
        cudaErrorMissingConfiguration);
  cudaGetLastError();
  // clang's stub launches what it got all the same.
  TestKernel K("none", TestKernel::Loop, [](const EchoCpuBlock *) {}, 0);
  CHECK(K.launch(Grid, Block, Shared, S) == cudaErrorMissingConfiguration);
  CHECK(cudaGetLastError() == cudaErrorMissingConfiguration);
  CHECK_CUDA(K.launch({1}, {1}, 0, nullptr));
}

TEST_CASE("module variables") {
  static int Values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  static int Shadow[8];
  EchoCpuVariable V = {"values", Values, sizeof(Values), 0};
  EchoCpuModule M = {};
  M.magic = ECHO_CPU_MODULE_MAGIC;
  M.version = ECHO_CPU_ABI_VERSION;
  M.numVariables = 1;
  M.variables = &V;
  struct {
    int Magic, Version;
    const void *Data;
    void *Unused;
  } W = {0x466243b1, 1, &M, nullptr};
  void **H = __cudaRegisterFatBinary(&W);
  __cudaRegisterVar(H, (char *)Shadow, nullptr, "values", 0, sizeof(Values), 0,
                    0);
  void *Address = nullptr;
  size_t Bytes = 0;
  CHECK_CUDA(cudaGetSymbolAddress(&Address, Shadow));
  CHECK(Address == Values);
  CHECK_CUDA(cudaGetSymbolSize(&Bytes, Shadow));
  CHECK(Bytes == sizeof(Values));
  int In[2] = {70, 80}, Out[8] = {};
  CHECK_CUDA(cudaMemcpyToSymbol(Shadow, In, 8, 24, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpyFromSymbol(Out, Shadow, 32, 0, cudaMemcpyDeviceToHost));
  CHECK((Out[5] == 6 && Out[6] == 70 && Out[7] == 80));
  CHECK(cudaMemcpyToSymbol(Shadow, In, 8, 28, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(Shadow, In, 8, 0, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyToSymbol(In, In, 8, 0, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidSymbol);
  cudaPointerAttributes A;
  CHECK_CUDA(cudaPointerGetAttributes(&A, Values + 1));
  CHECK(A.type == cudaMemoryTypeDevice);
  __cudaUnregisterFatBinary(H);
  CHECK(cudaGetSymbolSize(&Bytes, Shadow) == cudaErrorInvalidSymbol);
  cudaGetLastError();
}

TEST_CASE("child: foreign module", "[.]") {
  long Cubin[4] = {};
  struct {
    int Magic, Version;
    const void *Data;
    void *Unused;
  } W = {0x466243b1, 1, Cubin, nullptr};
  void **H = __cudaRegisterFatBinary(&W);
  static char Stub;
  __cudaRegisterFunction(H, &Stub, nullptr, "k", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  for (int I = 0; I != 2; ++I)
    CHECK(cudaLaunchKernel(&Stub, {}, {}, nullptr, 0, nullptr) ==
          cudaErrorNoKernelImageForDevice);
}

TEST_CASE("a GPU's fat binary is refused with one line") {
  ChildResult R = runChild("child: foreign module", {});
  CHECK(R.Status == 0);
  size_t At = R.Output.find("compiled for a GPU");
  CHECK(At != std::string::npos);
  CHECK(R.Output.find("compiled for a GPU", At + 1) == std::string::npos);
}
