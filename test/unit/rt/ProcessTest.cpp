//===- ProcessTest.cpp - Accounting, threads, fork ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the process as a whole shows: what is printed at exit, that threads do
// not disturb each other, and that a child of fork stays alive and quiet.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "Fresh.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static constexpr size_t N = 1 << 20;
static EchoGroup G = makeGroup();

static char *pair(size_t Bytes = N) {
  void *H = echort_acquire(&G, ECHO_HOST, Bytes, nullptr, 0);
  void *D = H ? echort_acquire(&G, ECHO_DEVICE, Bytes, H, 0) : nullptr;
  return static_cast<char *>(D);
}
static void unpair(void *P) {
  EXPECT(echort_release(ECHO_HOST, P) == 1);
  EXPECT(echort_release(ECHO_DEVICE, P) == 1);
}
static int copy(unsigned Flags = 0) {
  return echort_linking_copy(&G, ECHO_COPY_D2H_SYNC | Flags, nullptr, &G, &G,
                             1000) -
         1;
}

TEST_CASE("counts at exit") {
  auto Body = [] {
    pair();
    pair();
    copy();
    copy(ECHO_COPY_IDLE);
  };
  CHECK(runFresh({{"ECHO_STATS", "1"}}, Body).Errors ==
        "echo: 2 pairs merged (system), 2000 bytes not copied, 1 wait kept\n");
  CHECK(runFresh({{"ECHO_VERBOSE", "1"}}, Body).Errors ==
        "echo: a.cu:1:1 h + a.cu:2:1 d: merged (system)\n"
        "echo: 2 pairs merged (system), 2000 bytes not copied, 1 wait kept\n");
  CHECK(runFresh({}, Body).Errors == "");
  CHECK(runFresh({{"ECHO_VERBOSE", "1"}, {"ECHO_BACKING", "split"}},
                 [] {
                   pair();
                   pair();
                 })
            .Errors ==
        "echo: a.cu:1:1 h + a.cu:2:1 d: split: ECHO_BACKING=split\n"
        "echo: 0 pairs merged, 0 bytes not copied, 0 waits kept\n");
}

TEST_CASE("counts of several backings") {
  CHECK(runFresh({{"ECHO_STATS", "1"}},
                 [] {
                   fake::script().Attributes = {
                       {18, 1}, {88, 0}, {89, 0}, {100, 0}};
                   pair();
                   G.flags = 0;
                   pair();
                 })
            .Errors ==
        "echo: 2 pairs merged (1 managed, 1 mapped), 0 bytes not "
        "copied, 0 waits kept\n");
}

TEST_CASE("threads") {
  FRESH({}, [] {
    std::atomic<char *> Handed{nullptr};
    auto Work = [&](int Id) {
      for (int I = 0; I != 300; ++I) {
        size_t Bytes = N + 4096 * (I % 3);
        char *P = pair(Bytes);
        EXPECT(P);
        P[0] = P[Bytes - 1] = static_cast<char>(Id);
        EXPECT(copy() == 0);
        EXPECT(P[0] == Id && P[Bytes - 1] == Id);
        if (I % 7 == 0) { // freed by whoever comes next
          P = Handed.exchange(P);
          if (!P)
            continue;
        }
        unpair(P);
      }
    };
    std::thread T[4];
    for (int I = 0; I != 4; ++I)
      T[I] = std::thread(Work, I + 1);
    for (std::thread &Each : T)
      Each.join();
  });
}

static int childStatus(void (*Body)(char *), char *P) {
  pid_t Child = fork();
  if (Child == 0) {
    alarm(30);
    Body(P);
    _exit(failedExpectations() ? 1 : 0);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  return Status;
}

TEST_CASE("a child keeps system blocks and calls no CUDA") {
  FRESH({}, [] {
    char *P = pair();
    memset(P, 5, N);
    EXPECT(childStatus(
               [](char *P) {
                 unsigned Before = fake::calls();
                 EXPECT(P[N - 1] == 5);
                 P[0] = 6;
                 EXPECT(!pair()); // split
                 EXPECT(!echort_acquire(&G, ECHO_DEVICE, N, P, 0));
                 unpair(P);
                 EXPECT(fake::calls() == Before);
               },
               P) == 0);
    EXPECT(P[0] == 5);
    unpair(P);
  });
}

TEST_CASE("a child forgets its parent's managed blocks") {
  FRESH({{"ECHO_BACKING", "managed"}}, [] {
    char *P = pair(), *Pooled = pair();
    EXPECT(copy() == 0);
    unpair(Pooled);
    EXPECT(childStatus(
               [](char *P) {
                 unsigned Before = fake::calls();
                 EXPECT(!pair());
                 unpair(P);
                 EXPECT(fake::calls() == Before);
                 EXPECT(fake::liveAllocations() == 2);
               },
               P) == 0);
    unpair(P);
  });
}

TEST_CASE("fork while other threads work does not block the child") {
  FRESH({}, [] {
    std::atomic<bool> Stop{false};
    std::thread T([&] {
      while (!Stop) {
        char *P = pair();
        copy();
        unpair(P);
      }
    });
    while (!fake::calls("wait"))
      std::this_thread::yield();
    for (int I = 0; I != 20; ++I)
      EXPECT(childStatus(
                 [](char *) {
                   EXPECT(echort_release(ECHO_HOST, malloc(N)) == 0);
                   EXPECT(!echort_acquire(&G, ECHO_HOST, N, nullptr, 0));
                 },
                 nullptr) == 0);
    Stop = true;
    T.join();
  });
}
