//===- MemoryTest.cpp - Allocation and the registry -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds of memory, alignment, limits and wrong frees.
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

static cudaMemoryType typeOf(const void *P) {
  cudaPointerAttributes A = {};
  CHECK_CUDA(cudaPointerGetAttributes(&A, P));
  return A.type;
}

TEST_CASE("what memory a pointer is") {
  void *D, *H, *M, *Small;
  REQUIRE_CUDA(cudaMalloc(&D, 3 << 20));
  REQUIRE_CUDA(cudaMalloc(&Small, 5));
  REQUIRE_CUDA(cudaHostAlloc(&H, 100, cudaHostAllocMapped));
  REQUIRE_CUDA(cudaMallocManaged(&M, 100, cudaMemAttachGlobal));
  CHECK(uintptr_t(D) % 512 == 0);
  CHECK(uintptr_t(Small) % 512 == 0);
  CHECK(typeOf((char *)D + (3 << 20) - 1) == cudaMemoryTypeDevice);
  CHECK(typeOf(H) == cudaMemoryTypeHost);
  CHECK(typeOf(M) == cudaMemoryTypeManaged);
  std::vector<char> Plain(100);
  CHECK(typeOf(Plain.data()) == cudaMemoryTypeUnregistered);
  CHECK_CUDA(cudaHostRegister(Plain.data(), 100, 0));
  CHECK(typeOf(Plain.data() + 99) == cudaMemoryTypeHost);
  CHECK(cudaHostRegister(Plain.data() + 50, 100, 0) ==
        cudaErrorHostMemoryAlreadyRegistered);
  void *Device = nullptr;
  CHECK_CUDA(cudaHostGetDevicePointer(&Device, Plain.data(), 0));
  CHECK(Device == Plain.data());
  CHECK_CUDA(cudaHostUnregister(Plain.data()));
  CHECK(cudaHostUnregister(Plain.data()) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaHostGetDevicePointer(&Device, Plain.data(), 0) ==
        cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(D));
  CHECK_CUDA(cudaFree(Small));
  CHECK_CUDA(cudaFree(M));
  CHECK_CUDA(cudaFreeHost(H));
  cudaGetLastError();
}

TEST_CASE("wrong frees are refused") {
  void *D, *H;
  int OnStack;
  REQUIRE_CUDA(cudaMalloc(&D, 100));
  REQUIRE_CUDA(cudaMallocHost(&H, 100));
  CHECK(cudaFree((char *)D + 1) == cudaErrorInvalidValue);
  CHECK(cudaFree(H) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(D) == cudaErrorInvalidValue);
  CHECK(cudaFree(&OnStack) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(D));
  CHECK(cudaFree(D) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(nullptr));
  CHECK_CUDA(cudaFreeHost(H));
  CHECK_CUDA(cudaFreeHost(nullptr));
  cudaGetLastError();
}

TEST_CASE("sizes that are zero or absurd") {
  void *P = &P;
  CHECK_CUDA(cudaMalloc(&P, 0));
  CHECK(P == nullptr);
  P = &P;
  CHECK(cudaMalloc(&P, size_t(1) << 60) == cudaErrorMemoryAllocation);
  CHECK(P == &P);
  CHECK(cudaMalloc(nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaMallocManaged(&P, 0, 1) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("stream-ordered allocation") {
  TestKernel K(
      "set", TestKernel::Loop,
      [](const EchoCpuBlock *B) { *param<int *>(B, 0) = 3; }, 1);
  void *P = nullptr;
  cudaStream_t S;
  REQUIRE_CUDA(cudaStreamCreate(&S));
  REQUIRE_CUDA(cudaMallocAsync(&P, 64, S));
  CHECK_CUDA(K.launch({1}, {1}, 0, S, P));
  CHECK_CUDA(cudaFreeAsync(P, S));
  CHECK(cudaFreeAsync(P, S) == cudaErrorInvalidValue);
  CHECK_CUDA(cudaStreamSynchronize(S));
  CHECK_CUDA(cudaStreamDestroy(S));
  cudaGetLastError();
}

TEST_CASE("child: memory limit", "[.]") {
  size_t Free = 0, Total = 0;
  REQUIRE_CUDA(cudaMemGetInfo(&Free, &Total));
  CHECK(Total == 10 << 20);
  CHECK(Free == Total);
  void *A, *B = nullptr;
  REQUIRE_CUDA(cudaMalloc(&A, 6 << 20));
  CHECK(cudaMalloc(&B, 5 << 20) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocManaged(&B, 5 << 20, 1) == cudaErrorMemoryAllocation);
  REQUIRE_CUDA(cudaMemGetInfo(&Free, &Total));
  CHECK(Free == 4 << 20);
  CHECK_CUDA(cudaFree(A));
  CHECK_CUDA(cudaMalloc(&B, 5 << 20));
  // Poison was asked for.
  CHECK(*static_cast<unsigned char *>(B) == 0xa5);
  CHECK_CUDA(cudaDeviceReset());
  REQUIRE_CUDA(cudaMemGetInfo(&Free, &Total));
  CHECK(Free == Total);
  CHECK(cudaFree(B) == cudaErrorInvalidValue);
}

TEST_CASE("child: an earlier life", "[.]") {
  char *Old = nullptr, *Fresh = nullptr;
  constexpr size_t OldBytes = 64 << 10, Bytes = 4096;
  REQUIRE_CUDA(cudaMallocHost((void **)&Old, OldBytes));
  memset(Old, 42, OldBytes);
  const auto Start = reinterpret_cast<uintptr_t>(Old);
  CHECK_CUDA(cudaDeviceReset());
  int Inside = 0;
  for (int I = 0; I != 16; ++I) {
    REQUIRE_CUDA(cudaMallocHost((void **)&Fresh, Bytes));
    if (reinterpret_cast<uintptr_t>(Fresh) - Start >= OldBytes - Bytes)
      continue;
    ++Inside;
    CHECK(std::count(Fresh, Fresh + Bytes, 42) < 8);
  }
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  CHECK(Inside);
#endif
}

TEST_CASE("pinned memory behind a reset shows nothing of what lay there") {
  ChildResult R = runChild("child: an earlier life", {});
  INFO(R.Output);
  CHECK(R.Status == 0);
}

TEST_CASE("child: falling sizes", "[.]") {
  char *P = nullptr;
  size_t Bytes = size_t(1) << 47;
  unsigned Tries = 0;
  timespec Before, After;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Before);
  for (; cudaMalloc((void **)&P, Bytes) != cudaSuccess; Bytes /= 2, ++Tries)
    REQUIRE(cudaGetLastError() == cudaErrorMemoryAllocation);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &After);
  CHECK(Tries == 11);
  CHECK(Bytes == size_t(1) << 36);
  CHECK(After.tv_sec - Before.tv_sec <= 2);
  CHECK((unsigned char)P[0] == 0xa5);
  CHECK((unsigned char)P[Bytes - 1] == 0xa5);
  CHECK_CUDA(cudaFree(P));
}

TEST_CASE("a search for the largest block ends at once") {
  ChildResult R = runChild("child: falling sizes",
                           {"ECHO_CPU_MEMORY=64G", "ECHO_CPU_SCHED=lazy"});
  INFO(R.Output);
  CHECK(R.Status == 0);
}

TEST_CASE("device memory has a limit") {
  ChildResult R = runChild("child: memory limit",
                           {"ECHO_CPU_MEMORY=10m", "ECHO_CPU_POISON=1"});
  INFO(R.Output);
  CHECK(R.Status == 0);
}
