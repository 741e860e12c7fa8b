//===- PoolTest.cpp - Free blocks that are kept ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reuse, its bounds, and what it must not survive.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "Fresh.h"

#include <catch2/catch.hpp>

#include <cstring>

static constexpr size_t Mi = 1 << 20;
static EchoGroup G = makeGroup();

static char *make(size_t Bytes) {
  auto *H =
      static_cast<char *>(echort_acquire(&G, ECHO_HOST, Bytes, nullptr, 0));
  EXPECT(H && echort_acquire(&G, ECHO_DEVICE, Bytes, H, 0) == H);
  return H;
}
static void drop(void *P) {
  EXPECT(echort_release(ECHO_HOST, P) == 1);
  EXPECT(echort_release(ECHO_DEVICE, P) == 1);
}

TEST_CASE("memory comes back after the GPU is done") {
  for (const char *Kind : {"system", "managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      char *A = make(Mi);
      fake::takeLog();
      drop(A);
      EXPECT(!fake::takeLog().empty()); // it waited
      EXPECT(make(Mi) == A);
      EXPECT(fake::takeLog().empty()); // no new allocation
    });
}

TEST_CASE("without a wait, system memory is kept and CUDA's is freed") {
  FRESH({{"ECHO_BACKING", "system"}}, [] {
    char *A = make(Mi);
    EXPECT(echort_release(ECHO_DEVICE, A) == 1);
    fake::takeLog();
    EXPECT(echort_release(ECHO_HOST, A) == 1);
    EXPECT(fake::takeLog().empty());
    EXPECT(make(Mi) == A);
  });
  for (const char *Kind : {"managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      char *A = make(Mi);
      EXPECT(echort_release(ECHO_DEVICE, A) == 1);
      EXPECT(fake::liveAllocations() == 1);
      EXPECT(echort_release(ECHO_HOST, A) == 1);
      EXPECT(fake::liveAllocations() == 0);
      EXPECT(fake::calls("cudaDeviceSynchronize") == 1);
    });
}

TEST_CASE("at most four of a size and 64 MiB in all") {
  FRESH({{"ECHO_BACKING", "managed"}}, [] {
    char *P[6];
    for (char *&Q : P)
      Q = make(Mi);
    for (char *Q : P)
      drop(Q);
    EXPECT(fake::liveAllocations() == 4);
    char *Large = make(80 * Mi), *A = make(40 * Mi), *B = make(40 * Mi);
    drop(Large); // over the bound on its own: nothing else has to go
    EXPECT(fake::liveAllocations() == 6);
    drop(A);
    drop(B); // the newer stays, the older and the rest fit or go
    EXPECT(fake::liveAllocations() <= 5);
    EXPECT(make(40 * Mi) == B);
  });
}

TEST_CASE("managed memory that the host must not touch is not kept") {
  FRESH({}, [] {
    fake::script().Attributes = {{18, 1}, {88, 0}, {89, 0}, {100, 0}};
    char *P = make(Mi);
    EXPECT(fake::liveAllocations() == 1);
    drop(P);
    EXPECT(fake::liveAllocations() == 0);
    EXPECT(fake::calls("cudaFree") == 1);
  });
}

TEST_CASE("a reset device's memory is not handed out") {
  static char *A; // what is not freed stays in sight of leak checkers
  FRESH({{"ECHO_BACKING", "mapped"}}, [] {
    A = make(Mi);
    drop(A);
    fake::resetDevice();
    EXPECT(make(Mi) != A);
    EXPECT(fake::lastError() == 0);
  });
  FRESH({{"ECHO_BACKING", "managed"}}, [] {
    A = make(Mi);
    drop(A);
    memset(A, 0, 64); // somebody else's now, at the same address
    EXPECT(make(Mi) != A);
  });
}

TEST_CASE("a failing allocation empties the pool and is tried again") {
  FRESH({{"ECHO_BACKING", "managed"}}, [] {
    drop(make(Mi));
    fake::script().Fail["cudaMallocManaged"] = 2;
    EXPECT(!echort_acquire(&G, ECHO_HOST, 2 * Mi, nullptr, 0));
    EXPECT(fake::liveAllocations() == 0);
    EXPECT(fake::lastError() == 0);
    EXPECT(fake::calls("cudaMallocManaged") == 3);
    fake::script().Fail.clear();
    EXPECT(echort_acquire(&G, ECHO_HOST, 2 * Mi, nullptr, 0));
  });
}
