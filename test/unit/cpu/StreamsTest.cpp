//===- StreamsTest.cpp - Streams, events and host functions ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order inside a stream, between streams, and by the legacy default stream.
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

/// Waits until *Gate is set, then appends an id to a list.
struct Trace {
  std::atomic<int> Gate{0};
  std::atomic<int> Next{0};
  std::atomic<int> Order[64] = {};
};
static void traced(const EchoCpuBlock *B) {
  auto *T = param<Trace *>(B, 0);
  if (param<int>(B, 2))
    while (!T->Gate.load())
      std::this_thread::yield();
  T->Order[T->Next.fetch_add(1)] = param<int>(B, 1);
}

TEST_CASE("a stream runs in order, streams run beside each other") {
  TestKernel K("traced", TestKernel::Loop, traced, 3);
  Trace T;
  cudaStream_t A, B;
  REQUIRE_CUDA(cudaStreamCreate(&A));
  REQUIRE_CUDA(cudaStreamCreate(&B));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, A, &T, 1, 1));
  for (int I = 2; I != 10; ++I)
    REQUIRE_CUDA(K.launch({1}, {1}, 0, A, &T, I, 0));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, B, &T, 100, 0));
  CHECK(cudaStreamQuery(A) == cudaErrorNotReady);
  CHECK_CUDA(cudaStreamSynchronize(B));
  CHECK(T.Order[0] == 100);
  T.Gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(A));
  CHECK_CUDA(cudaStreamQuery(A));
  for (int I = 1; I != 10; ++I)
    CHECK(T.Order[I] == I);
  CHECK_CUDA(cudaStreamDestroy(A));
  CHECK_CUDA(cudaStreamDestroy(B));
  CHECK(cudaStreamSynchronize(A) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
}

TEST_CASE("a program may ask as often as it likes") {
  TestKernel K("traced", TestKernel::Loop, traced, 3);
  Trace T;
  cudaStream_t A;
  REQUIRE_CUDA(cudaStreamCreate(&A));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, A, &T, 1, 1));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &T, 2, 0));
  // More often than a queue has places.
  for (cudaStream_t S : {cudaStream_t(nullptr), A})
    for (int I = 0; I != 70000; ++I)
      if (cudaStreamQuery(S) != cudaErrorNotReady)
        FAIL("done before the gate opened");
  T.Gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(nullptr));
  CHECK_CUDA(cudaStreamQuery(nullptr));
  CHECK(T.Next == 2);
  cudaGetLastError();
  CHECK_CUDA(cudaStreamDestroy(A));
}

TEST_CASE("a full queue makes the caller wait") {
  TestKernel K("traced", TestKernel::Loop, traced, 3);
  for (unsigned Flags : {unsigned(cudaStreamNonBlocking), ~0u}) {
    Trace T;
    cudaStream_t S = nullptr;
    cudaEvent_t E;
    if (Flags != ~0u)
      REQUIRE_CUDA(cudaStreamCreateWithFlags(&S, Flags));
    REQUIRE_CUDA(cudaEventCreate(&E));
    REQUIRE_CUDA(K.launch({1}, {1}, 0, S, &T, 1, 1));
    std::thread Opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      T.Gate = 1;
    });
    for (int I = 0; I != 70000; ++I)
      if (cudaEventRecord(E, S) != cudaSuccess)
        FAIL("cannot record");
    CHECK(T.Gate == 1);
    CHECK_CUDA(cudaEventSynchronize(E));
    Opener.join();
    CHECK_CUDA(cudaEventDestroy(E));
    if (S)
      CHECK_CUDA(cudaStreamDestroy(S));
  }
}

TEST_CASE("the legacy stream orders blocking streams only") {
  TestKernel K("traced", TestKernel::Loop, traced, 3);
  Trace T;
  cudaStream_t Blocking, Other, Free;
  REQUIRE_CUDA(cudaStreamCreate(&Blocking));
  REQUIRE_CUDA(cudaStreamCreate(&Other));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&Free, cudaStreamNonBlocking));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, Blocking, &T, 1, 1));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &T, 2, 0));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, Other, &T, 3, 0));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, Free, &T, 9, 0));
  CHECK_CUDA(cudaStreamSynchronize(Free));
  CHECK(T.Order[0] == 9);
  CHECK(cudaStreamQuery(nullptr) == cudaErrorNotReady);
  CHECK(cudaStreamQuery(Other) == cudaErrorNotReady);
  T.Gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(Other));
  for (int I = 1; I != 4; ++I)
    CHECK(T.Order[I] == I);
  for (cudaStream_t S : {Blocking, Other, Free})
    CHECK_CUDA(cudaStreamDestroy(S));
  cudaGetLastError();
}

TEST_CASE("per-thread default streams") {
  TestKernel K("traced", TestKernel::Loop, traced, 3);
  Trace T;
  REQUIRE_CUDA(K.launch({1}, {1}, 0, cudaStreamPerThread, &T, 1, 1));
  std::thread([&] {
    CHECK_CUDA(K.launch({1}, {1}, 0, cudaStreamPerThread, &T, 2, 0));
    CHECK_CUDA(cudaStreamSynchronize_ptsz(nullptr));
  }).join();
  CHECK(T.Order[0] == 2);
  // It is a blocking stream.
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &T, 3, 0));
  T.Gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(nullptr));
  CHECK((T.Order[1] == 1 && T.Order[2] == 3));
}

TEST_CASE("events order streams and tell time") {
  TestKernel K("traced", TestKernel::Loop, traced, 3);
  Trace T;
  cudaStream_t A, B;
  cudaEvent_t Start, Done, Untimed;
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&A, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&B, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaEventCreate(&Start));
  REQUIRE_CUDA(cudaEventCreate(&Done));
  REQUIRE_CUDA(cudaEventCreateWithFlags(&Untimed, cudaEventDisableTiming));
  float Ms = -1;
  CHECK(cudaEventElapsedTime(&Ms, Start, Done) ==
        cudaErrorInvalidResourceHandle);
  REQUIRE_CUDA(cudaEventRecord(Start, A));
  CHECK_CUDA(cudaEventQuery(Start));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, A, &T, 1, 1));
  REQUIRE_CUDA(cudaEventRecord(Done, A));
  REQUIRE_CUDA(cudaEventRecord(Untimed, A));
  REQUIRE_CUDA(cudaStreamWaitEvent(B, Done, 0));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, B, &T, 2, 0));
  CHECK(cudaEventQuery(Done) == cudaErrorNotReady);
  CHECK(cudaEventElapsedTime(&Ms, Start, Done) == cudaErrorNotReady);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  T.Gate = 1;
  CHECK_CUDA(cudaEventSynchronize(Done));
  CHECK_CUDA(cudaStreamSynchronize(B));
  CHECK((T.Order[0] == 1 && T.Order[1] == 2));
  CHECK_CUDA(cudaEventElapsedTime(&Ms, Start, Done));
  CHECK(Ms >= 5);
  CHECK(Ms < 60000);
  CHECK(cudaEventElapsedTime(&Ms, Start, Untimed) ==
        cudaErrorInvalidResourceHandle);
  for (cudaEvent_t E : {Start, Done, Untimed})
    CHECK_CUDA(cudaEventDestroy(E));
  CHECK(cudaEventRecord(Done, A) == cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaStreamDestroy(A));
  CHECK_CUDA(cudaStreamDestroy(B));
  cudaGetLastError();
}

TEST_CASE("host functions run in stream order and may not call CUDA") {
  TestKernel K("traced", TestKernel::Loop, traced, 3);
  static Trace T;
  static std::thread::id Runner;
  static cudaError_t Inside;
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &T, 1, 1));
  REQUIRE_CUDA(cudaLaunchHostFunc(
      nullptr,
      [](void *P) {
        T.Order[T.Next++] = *static_cast<int *>(P);
        Runner = std::this_thread::get_id();
        Inside = cudaDeviceSynchronize();
      },
      [] {
        static int Id = 2;
        return (void *)&Id;
      }()));
  REQUIRE_CUDA(cudaStreamAddCallback(
      nullptr,
      [](cudaStream_t, cudaError_t Status, void *) {
        T.Order[T.Next++] = Status == cudaSuccess ? 3 : -1;
      },
      nullptr, 0));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &T, 4, 0));
  T.Gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(nullptr));
  for (int I = 1; I != 5; ++I)
    CHECK(T.Order[I - 1] == I);
  CHECK(Runner != std::this_thread::get_id());
  CHECK(Inside == cudaErrorNotPermitted);
}

TEST_CASE("a destroyed stream's work still runs") {
  TestKernel K("traced", TestKernel::Loop, traced, 3);
  Trace T;
  cudaStream_t S;
  REQUIRE_CUDA(cudaStreamCreate(&S));
  REQUIRE_CUDA(K.launch({1}, {1}, 0, S, &T, 7, 1));
  CHECK_CUDA(cudaStreamDestroy(S));
  T.Gate = 1;
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(T.Order[0] == 7);
}

TEST_CASE("many threads use the device at once") {
  TestKernel K(
      "add", TestKernel::Loop,
      [](const EchoCpuBlock *B) {
        param<std::atomic<long> *>(B, 0)->fetch_add(blockThreads(B));
      },
      1);
  std::atomic<long> Sum{0};
  std::vector<std::thread> Threads;
  for (int I = 0; I != 6; ++I)
    Threads.emplace_back([&, I] {
      cudaStream_t S = nullptr;
      if (I % 3)
        cudaStreamCreateWithFlags(&S, I % 2 ? cudaStreamNonBlocking : 0);
      for (int J = 0; J != 200; ++J) {
        K.launch({10}, {4}, 0, S, &Sum);
        void *P = nullptr;
        if (J % 10 == 0) {
          cudaMalloc(&P, 1000);
          cudaMemsetAsync(P, J, 1000, S);
          cudaFree(P);
        }
        if (J % 7 == 0)
          cudaStreamSynchronize(S);
      }
      cudaStreamSynchronize(S);
      if (S)
        cudaStreamDestroy(S);
    });
  for (std::thread &T : Threads)
    T.join();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(Sum == 6 * 200 * 40);
}

TEST_CASE("waiting for nothing is cheap") {
  cudaEvent_t E;
  REQUIRE_CUDA(cudaEventCreate(&E));
  constexpr int N = 20000;
  // Time of this thread alone: the machine may be busy.
  auto now = [] {
    timespec T;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
    return T.tv_sec * 1e9 + T.tv_nsec;
  };
  double Start = now();
  for (int I = 0; I != N; ++I) {
    cudaStreamSynchronize(nullptr);
    cudaDeviceSynchronize();
    cudaEventRecord(E, nullptr);
    cudaEventSynchronize(E);
  }
  double PerWait = (now() - Start) / (3 * N);
#ifndef ECHO_TEST_SANITIZED
  CHECK(PerWait < 300);
#else
  CHECK(PerWait > 0);
#endif
  CHECK_CUDA(cudaEventDestroy(E));
}
