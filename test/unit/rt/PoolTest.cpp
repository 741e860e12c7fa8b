//===- PoolTest.cpp - Free blocks that are kept ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reuse, its bounds, and what it must not survive.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "Fresh.h"
#include "runtime/rt/Block.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>

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

TEST_CASE("a free of pageable memory waits for nothing, one of pinned does") {
  for (const char *Kind : {"system", "managed", "mapped"})
    for (bool Pinned : {false, true})
      FRESH({{"ECHO_BACKING", Kind}}, [Pinned] {
        G.flags |= Pinned ? ECHO_GROUP_PINNED_HOST : 0;
        char *A = make(Mi);
        EXPECT(echort_release(ECHO_DEVICE, A) == 1);
        fake::takeLog();
        EXPECT(echort_release(ECHO_HOST, A) == 1);
        EXPECT(fake::takeLog().size() == Pinned); // a wait
        EXPECT(make(Mi) == A);
        fake::takeLog();
        EXPECT(echort_release(ECHO_HOST, A) == 1);
        EXPECT(fake::takeLog().size() == Pinned);
      });
}

TEST_CASE("what the device may use is not handed out, nor freed") {
  FRESH({{"ECHO_BACKING", "managed"}}, [] {
    // (The device side's free failed: nothing was waited for.)
    char *A = make(Mi), *B = make(2 * Mi);
    fake::script().SyncError = 719;
    EXPECT(echort_release(ECHO_DEVICE, A) == 1 + 719);
    EXPECT(echort_release(ECHO_HOST, A) == 1);
    fake::script().SyncError = 0;
    fake::setLastError(0);
    EXPECT(make(Mi) != A);
    EXPECT(echort_release(ECHO_HOST, B) == 1);
    EXPECT(echort_release(ECHO_DEVICE, B) == 1); // waits
    EXPECT(make(Mi) == A);
  });
}

TEST_CASE("memory over the bounds goes where the program waits") {
  for (const char *Kind : {"managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      fake::script().Busy = true;
      char *P[20], *Last = make(2 * Mi);
      for (char *&Q : P)
        Q = make(Mi);
      for (char *Q : P)
        EXPECT(echort_release(ECHO_DEVICE, Q) == 1);
      fake::takeLog();
      for (char *Q : P)
        EXPECT(echort_release(ECHO_HOST, Q) == 1);
      EXPECT(fake::takeLog().empty());
      EXPECT(fake::liveAllocations() == 21);
      EXPECT(echort_release(ECHO_DEVICE, Last) == 1);
      EXPECT(fake::liveAllocations() == 17);
      // The program's own free will do, too.
      char *Q = make(Mi);
      EXPECT(echort_release(ECHO_HOST, Last) == 1);
      drop(Q);
      EXPECT(fake::liveAllocations() == 17);
    });
}

TEST_CASE(
    "the pool is emptied once nothing is in flight, after a while never") {
  FRESH({{"ECHO_BACKING", "managed"}}, [] {
    drop(make(Mi));
    fake::script().Busy = true; // for ever: it waits for the host
    EXPECT(!echo::rt::emptyPool());
    EXPECT(fake::liveAllocations() == 1);
    fake::script().Busy = false;
    fake::script().CaptureInProgress = true;
    EXPECT(!echo::rt::emptyPool());
    fake::script().CaptureInProgress = false;
    EXPECT(echo::rt::emptyPool());
    EXPECT(fake::liveAllocations() == 0 && fake::lastError() == 0);
  });
}

TEST_CASE("the device first, then the host: kept if no copy can be in flight") {
  for (const char *Kind : {"managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      char *A = make(Mi);
      EXPECT(echort_release(ECHO_DEVICE, A) == 1);
      EXPECT(echort_release(ECHO_HOST, A) == 1);
      EXPECT(fake::calls("wait") == 1);
      fake::takeLog();
      EXPECT(make(Mi) == A);
      EXPECT(fake::takeLog().empty());
      // Its rest ended with the new device role.
      EXPECT(echort_release(ECHO_HOST, A) == 1);
      EXPECT(echort_release(ECHO_DEVICE, A) == 1);
      EXPECT(fake::calls("wait") == 2);
    });
}

TEST_CASE("at most 16 of a size, and in all a part of the machine's memory") {
  FRESH({{"ECHO_BACKING", "managed"}}, [] {
    char *P[20];
    for (char *&Q : P)
      Q = make(Mi);
    for (char *Q : P)
      drop(Q);
    EXPECT(fake::liveAllocations() == 16);
    size_t Bound = echo::rt::poolBound(), Most = Bound / 8 * 5;
    EXPECT(Bound >= 64 * Mi);
    char *Large = make(Bound + Mi), *A = make(Most), *B = make(Most);
    drop(Large); // over the bound on its own: nothing else has to go
    EXPECT(fake::liveAllocations() == 18);
    drop(A);
    drop(B); // the newer stays, the older and the rest fit or go
    EXPECT(fake::liveAllocations() <= 17);
    EXPECT(make(Most) == B);
  });
}

TEST_CASE("the pool makes room for what the program allocates itself") {
  FRESH({{"ECHO_BACKING", "managed"}}, [] {
    drop(make(Mi));
    // As written, since the partner is no block of the pair.
    EXPECT(!echort_acquire(&G, ECHO_DEVICE, Mi, &G, 0));
    EXPECT(fake::liveAllocations() == 1); // there is room
    fake::script().TotalMemory = 3 * Mi;
    EXPECT(!echort_acquire(&G, ECHO_DEVICE, 2 * Mi, &G, 0));
    EXPECT(fake::liveAllocations() == 0);
    EXPECT(fake::lastError() == 0);
  });
  // The host: only where something bounds what the process maps.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  const std::vector<bool> Bounds = {false}; // what sanitizers map has no bound
#else
  const std::vector<bool> Bounds = {false, true};
#endif
  for (bool Bounded : Bounds)
    FRESH({{"ECHO_BACKING", "auto,b.cu=split"}}, [Bounded] {
      static EchoGroup Split = makeGroup("b.cu:1:1 h + b.cu:2:1 d");
      drop(make(Mi));
      rlimit Limit = {size_t(1) << 40, RLIM_INFINITY};
      if (Bounded)
        setrlimit(RLIMIT_AS, &Limit);
      EXPECT(!echort_acquire(&Split, ECHO_HOST, Mi, nullptr, 0));
      EXPECT(echo::rt::emptyPool()); // there was room
      drop(make(Mi));
      EXPECT(!echort_acquire(&Split, ECHO_HOST, size_t(1) << 41, nullptr, 0));
      EXPECT(echo::rt::emptyPool() != Bounded);
    });
  FRESH({{"ECHO_BACKING", "system"}}, [] {
    drop(make(Mi));
    size_t TooMuch = size_t(1) << 46;
    EXPECT(!echort_acquire(&G, ECHO_HOST, TooMuch, nullptr, 0));
    fake::takeLog();
    EXPECT(!echo::rt::emptyPool()); // it was empty
  });
}

TEST_CASE("managed memory that the host must not touch is kept untouched") {
  FRESH({}, [] {
    fake::script().Attributes = {{18, 1}, {88, 0}, {89, 0}, {100, 0}};
    char *P = make(Mi);
    EXPECT(fake::liveAllocations() == 1);
    drop(P);
    char *Page = P - 512;
    EXPECT(mprotect(Page, Mi, PROT_NONE) == 0); // as if the GPU worked
    EXPECT(make(Mi) == P);
    EXPECT(mprotect(Page, Mi, PROT_READ | PROT_WRITE) == 0);
    EXPECT(fake::calls("cudaMallocManaged") == 1);
    EXPECT(fake::livePages() == 1); // pinned: a reset shows there
  });
}

TEST_CASE("where a reset would not show, nothing of CUDA's is handed out") {
  FRESH({{"ECHO_BACKING", "managed"}}, [] {
    fake::script().Fail["cudaHostAlloc"] = 2;
    EXPECT(!echort_acquire(&G, ECHO_HOST, Mi, nullptr, 0));
    EXPECT(fake::liveAllocations() == 0);
    EXPECT(fake::lastError() == 0);
    fake::script().Fail.clear();
    drop(make(Mi));
    EXPECT(fake::liveAllocations() == 1);
  });
}

TEST_CASE("a reset device's memory is not handed out") {
  for (const char *Kind : {"managed", "mapped"})
    for (bool Reused : {false, true})
      FRESH({{"ECHO_BACKING", Kind}}, [Reused] {
        char *A = make(Mi), *Late = make(Mi);
        drop(A);
        fake::resetDevice(Reused);
        EXPECT(make(Mi) != A);
        EXPECT(echort_release(ECHO_HOST, Late) == 0); // it is gone, too
        EXPECT(make(Mi) != Late);
        EXPECT(fake::lastError() == 0);
      });
}

TEST_CASE("what lies where a reset device's memory was is not echort's") {
  for (const char *Kind : {"managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      char *A = make(Mi);
      drop(A);
      fake::resetDevice(/*Reused=*/true);
      EXPECT(echort_release(ECHO_DEVICE, A) == 0); // the program's own
      EXPECT(fake::liveAllocations() == 1);
      EXPECT(echo::rt::emptyPool());
      EXPECT(fake::liveAllocations() == 1);
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

TEST_CASE("what the pool keeps is gone before the program looks") {
  for (const char *Kind : {"system", "managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      drop(make(Mi));
      fake::script().Busy = true; // its free would wait
      echort_observe_memory();
      fake::script().Busy = false;
      echort_observe_memory();
      EXPECT(fake::liveAllocations() == 0);
      EXPECT(!echo::rt::emptyPool());
      EXPECT(fake::lastError() == 0);
    });
}
