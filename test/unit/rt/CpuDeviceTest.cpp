//===- CpuDeviceTest.cpp - echort on the CPU device -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// echort's waits against real queues: work that takes a while is put in
// flight, a linking copy stands behind it, and the order must hold.
//
//===----------------------------------------------------------------------===//
#include "Fresh.h"
#include "runtime/rt/CudaDecls.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <csignal>
#include <unistd.h>

extern "C" {
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned Flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t Stream, void (*Fn)(void *),
                               void *Data);
cudaError_t cudaMemsetAsync(void *Pointer, int Value, size_t Bytes,
                            cudaStream_t Stream);
}

using namespace echo::rt;

static constexpr size_t N = 1 << 20;
static EchoGroup G = makeGroup();
static std::atomic<int> Finished;

/// Puts work in flight that ends in a while and then counts.
static void work(cudaStream_t Stream) {
  EXPECT(cudaLaunchHostFunc(
             Stream,
             [](void *) {
               usleep(30000);
               ++Finished;
             },
             nullptr) == 0);
}
static cudaStream_t makeStream(bool Blocking) {
  cudaStream_t S = nullptr;
  EXPECT(cudaStreamCreateWithFlags(&S, Blocking ? 0 : 1) == 0);
  return S;
}
static void *makePair() {
  void *H = echort_acquire(&G, ECHO_HOST, N, nullptr, 0);
  EXPECT(H && echort_acquire(&G, ECHO_DEVICE, N, H, 0) == H);
  return H;
}
static void copy(EchoCopy Kind, cudaStream_t Stream, unsigned Flags = 0) {
  EXPECT(echort_linking_copy(&G, Kind | Flags, Stream, &G, &G, N) == 1);
}

TEST_CASE("backings of the CPU device") {
  for (const char *Kind : {"auto", "system", "managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      auto *P = static_cast<char *>(makePair());
      P[0] = P[N - 1] = 1;
      EXPECT(echort_release(ECHO_DEVICE, P) == 1);
      EXPECT(P[N - 1] == 1);
      EXPECT(echort_release(ECHO_HOST, P) == 1);
      EXPECT(cudaPeekAtLastError() == 0);
    });
}

TEST_CASE("pinned-split on the CPU device") {
  FRESH({{"ECHO_BACKING", "pinned-split"}}, [] {
    auto *H = static_cast<char *>(echort_acquire(&G, ECHO_HOST, N, nullptr, 0));
    EXPECT(H && !echort_acquire(&G, ECHO_DEVICE, N, H, 0));
    for (int Round = 0; Round != 3; ++Round)
      copyBegins(G, H, N);
    cudaPointerAttributes Found = {};
    EXPECT(cudaPointerGetAttributes(&Found, H) == 0);
    EXPECT(Found.type == MemoryTypeHost);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(cudaPeekAtLastError() == 0);
  });
}

TEST_CASE("exit while the GPU works") {
  for (const char *Kind : {"system", "managed", "mapped", "pinned-split"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      auto *H =
          static_cast<char *>(echort_acquire(&G, ECHO_HOST, N, nullptr, 0));
      void *D = echort_acquire(&G, ECHO_DEVICE, N, H, 0);
      EXPECT(H);
      copyBegins(G, H, N);
      H[N - 1] = 1;
      work(makeStream(false));
      EXPECT(!D || D == H);
    });
}

TEST_CASE("attributes decide on the CPU device") {
  auto Outcome = [](const char *Attributes) {
    return runFresh({{"ECHO_CPU_ATTR", Attributes}, {"ECHO_VERBOSE", "1"}},
                    [] { echort_acquire(&G, ECHO_HOST, N, nullptr, 0); })
        .Errors;
  };
  const std::string Discrete = "integrated=0,"
                               "pageableMemoryAccessUsesHostPageTables=0";
  CHECK(Outcome(Discrete.c_str()).find("copies stay (pinned-split)") !=
        std::string::npos);
  CHECK(Outcome("pageableMemoryAccessUsesHostPageTables=1")
            .find("merged (system)") != std::string::npos);
  CHECK(Outcome("concurrentManagedAccess=0,"
                "pageableMemoryAccessUsesHostPageTables=0")
            .find("merged (managed)") != std::string::npos);
}

// The host must not touch managed memory while the GPU works.
static const char *const Exclusive =
    "concurrentManagedAccess=0,pageableMemoryAccessUsesHostPageTables=0";

/// Has the GPU work on managed memory of the program's own until a wait.
static void holdManaged() {
  static void *Own;
  EXPECT(Own || cudaMallocManaged(&Own, 64, MemAttachGlobal) == 0);
  EXPECT(cudaMemsetAsync(Own, 0, 64, nullptr) == 0);
}

TEST_CASE("exclusive managed memory comes and goes while the GPU works") {
  for (const char *Schedule : {"eager", "lazy", "random:4"})
    FRESH({{"ECHO_CPU_ATTR", Exclusive}, {"ECHO_CPU_SCHED", Schedule}}, [] {
      char *Before = nullptr;
      for (int Round = 0; Round != 3; ++Round) {
        holdManaged();
        auto *P = static_cast<char *>(makePair());
        EXPECT(!Before || P == Before);
        copy(ECHO_COPY_H2D_SYNC, nullptr);
        P[0] = P[N - 1] = 1; // a quiescent pair: behind a wait
        holdManaged();
        EXPECT(echort_release(ECHO_DEVICE, P) == 1);
        holdManaged();
        EXPECT(echort_release(ECHO_HOST, P) == 1);
        Before = P;
      }
      cudaPointerAttributes Found = {};
      EXPECT(cudaPointerGetAttributes(&Found, Before) == 0);
      EXPECT(Found.type == MemoryTypeManaged);
      // calloc of a quiescent pair: the GPU does nothing.
      EXPECT(cudaDeviceSynchronize() == 0);
      auto *Z = static_cast<char *>(echort_acquire(&G, ECHO_HOST, N, 0, 1));
      EXPECT(Z == Before && !Z[0] && !Z[N - 1]);
    });
}

TEST_CASE("what the host uses while the GPU works is not managed there") {
  static EchoGroup Busy = makeGroup("busy", /*Flags=*/0);
  for (const char *Kind : {"auto", "managed"})
    FRESH({{"ECHO_CPU_ATTR", Exclusive}, {"ECHO_BACKING", Kind}}, [Kind] {
      holdManaged();
      auto *P = static_cast<char *>(echort_acquire(&Busy, ECHO_HOST, N, 0, 1));
      EXPECT(!P == (Kind[0] == 'm')); // as written, or mapped
      EXPECT(!P || (!P[0] && !P[N - 1]));
      EXPECT(!P || echort_release(ECHO_HOST, P) == 1);
    });
  // It would end the program.
  Outcome R = runFresh({{"ECHO_CPU_ATTR", Exclusive}}, [] {
    signal(SIGSEGV, SIG_DFL); // not Catch2's
    holdManaged();
    static_cast<char *>(makePair())[0] = 1;
  });
  CHECK(R.Status == 128);
  CHECK(R.Errors.find("host access to managed memory") != std::string::npos);
}

TEST_CASE("a synchronous copy waits for every blocking stream") {
  for (const char *Schedule : {"eager", "lazy", "random:1"})
    FRESH({{"ECHO_CPU_SCHED", Schedule}}, [] {
      cudaStream_t B = makeStream(true);
      makePair();
      int Expected = 0;
      for (EchoCopy Kind : {ECHO_COPY_H2D_SYNC, ECHO_COPY_D2H_SYNC})
        for (cudaStream_t S : {B, streamLegacy(), streamPerThread()}) {
          work(S);
          copy(Kind, nullptr);
          EXPECT(Finished == ++Expected);
        }
    });
}

TEST_CASE("a copy in a blocking stream waits for the legacy stream") {
  for (const char *Schedule : {"eager", "lazy", "random:2"})
    FRESH({{"ECHO_CPU_SCHED", Schedule}}, [] {
      cudaStream_t B = makeStream(true);
      makePair();
      work(nullptr);
      copy(ECHO_COPY_D2H_ASYNC_PAGEABLE, B);
      EXPECT(Finished == 1);
      work(nullptr);
      copy(ECHO_COPY_D2H_SYNC, nullptr, ECHO_COPY_PER_THREAD);
      EXPECT(Finished == 2);
    });
}

TEST_CASE("a copy in a non-blocking stream waits for that stream") {
  FRESH({}, [] {
    cudaStream_t S = makeStream(false);
    makePair();
    work(S);
    copy(ECHO_COPY_D2H_ASYNC_PAGEABLE, S);
    EXPECT(Finished == 1);
  });
}

TEST_CASE("a pinned copy in the legacy stream orders two others") {
  for (const char *Schedule : {"eager", "lazy", "random:3"})
    FRESH({{"ECHO_CPU_SCHED", Schedule}}, [] {
      cudaStream_t A = makeStream(true), B = makeStream(true);
      makePair();
      static int Seen = -1;
      work(A);
      copy(ECHO_COPY_ASYNC_PINNED, nullptr);
      cudaLaunchHostFunc(B, [](void *) { Seen = Finished; }, nullptr);
      EXPECT(cudaStreamSynchronize(B) == 0);
      EXPECT(Seen == 1);
    });
}

TEST_CASE("dropping the device side waits for all streams") {
  FRESH({}, [] {
    cudaStream_t S = makeStream(false);
    void *P = makePair();
    work(S);
    EXPECT(echort_release(ECHO_DEVICE, P) == 1);
    EXPECT(Finished == 1);
    EXPECT(echort_release(ECHO_HOST, P) == 1);
  });
}
