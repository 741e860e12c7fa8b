//===- FibersTest.cpp - Barriers and warp operations ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads as fibers: barriers, divergence, shuffles, votes, and what is stuck.
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <cstring>

static unsigned self() { return echo_cpu_self->linear; }

TEST_CASE("a block reverses an array through shared memory") {
  TestKernel K(
      "reverse", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        auto *Data = param<int *>(B, 0) + B->blockIdx[0] * B->blockDim[0];
        auto *Shared = reinterpret_cast<int *>(B->sharedMem);
        unsigned I = self(), N = B->blockDim[0];
        for (int Round = 0; Round != 3; ++Round) {
          Shared[I] = Data[I];
          echo_cpu_barrier(0, 0);
          Data[I] = Shared[N - 1 - I];
          echo_cpu_barrier(0, 0);
        }
      },
      1, 4096);
  constexpr int Blocks = 20, N = 1000;
  std::vector<int> Data(Blocks * N);
  for (size_t I = 0; I != Data.size(); ++I)
    Data[I] = I;
  REQUIRE_CUDA(K.launch({Blocks}, {N}, 0, nullptr, Data.data()));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  bool Right = true;
  for (int B = 0; B != Blocks; ++B)
    for (int I = 0; I != N; ++I)
      Right &= Data[B * N + I] == B * N + N - 1 - I;
  CHECK(Right);
}

TEST_CASE("barriers do not wait for threads that have ended") {
  TestKernel K(
      "early", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        if (self() % 3 == 0)
          return;
        echo_cpu_barrier(0, 0);
        if (self() % 3 == 1)
          return;
        param<int *>(B, 0)[self()] = echo_cpu_barrier_reduce(ECHO_CPU_POPC, 1);
      },
      1);
  int Out[96] = {};
  REQUIRE_CUDA(K.launch({1}, {96}, 0, nullptr, Out));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  for (int I = 0; I != 96; ++I)
    CHECK(Out[I] == (I % 3 == 2 ? 32 : 0));
}

TEST_CASE("reductions at barriers") {
  TestKernel K(
      "reduce", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        auto *Out = param<int *>(B, 0) + 3 * self();
        Out[0] = echo_cpu_barrier_reduce(ECHO_CPU_POPC, self() % 4 == 0);
        Out[1] = echo_cpu_barrier_reduce(ECHO_CPU_AND, self() < 63);
        Out[2] = echo_cpu_barrier_reduce(ECHO_CPU_OR, self() == 63);
      },
      1);
  int Out[64][3];
  REQUIRE_CUDA(K.launch({1}, {64}, 0, nullptr, Out));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  for (auto &O : Out)
    CHECK((O[0] == 16 && O[1] == 0 && O[2] == 1));
}

TEST_CASE("named barriers with counts and arrivals") {
  // Warp 0 produces, warp 1 consumes.
  TestKernel K(
      "named", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        auto *Shared = reinterpret_cast<int *>(B->sharedMem);
        auto *Out = param<int *>(B, 0);
        unsigned Lane = self() % 32;
        for (int Round = 0; Round != 5; ++Round) {
          if (self() < 32) {
            Shared[Lane] = Round * 100 + Lane;
            echo_cpu_barrier_arrive(1, 64);
            echo_cpu_barrier(2, 64);
          } else if (self() < 64) {
            echo_cpu_barrier(1, 64);
            Out[Round * 32 + Lane] = Shared[31 - Lane];
            echo_cpu_barrier_arrive(2, 64);
          }
        }
      },
      1, 128);
  int Out[160] = {};
  REQUIRE_CUDA(K.launch({1}, {96}, 0, nullptr, Out));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  for (int I = 0; I != 160; ++I)
    CHECK(Out[I] == I / 32 * 100 + 31 - I % 32);
}

TEST_CASE("shuffles follow PTX") {
  TestKernel K(
      "shuffle", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        auto *Out = param<uint32_t *>(B, 0) + 6 * self();
        uint32_t V = self() * 10;
        int32_t In = -1;
        Out[0] = echo_cpu_shfl(~0u, ECHO_CPU_SHFL_IDX, V, 5, 31, &In);
        Out[1] = echo_cpu_shfl(~0u, ECHO_CPU_SHFL_UP, V, 1, 0, &In);
        Out[5] = In;
        Out[2] = echo_cpu_shfl(~0u, ECHO_CPU_SHFL_DOWN, V, 2, 31, nullptr);
        Out[3] = echo_cpu_shfl(~0u, ECHO_CPU_SHFL_BFLY, V, 1, 31, nullptr);
        // Width 8: the segment mask is 32 - 8.
        Out[4] =
            echo_cpu_shfl(~0u, ECHO_CPU_SHFL_IDX, V, 3, 31 | 24 << 8, nullptr);
      },
      1);
  uint32_t Out[64][6];
  REQUIRE_CUDA(K.launch({1}, {64}, 0, nullptr, Out));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  for (unsigned I = 0; I != 64; ++I) {
    unsigned Base = I / 32 * 32, L = I % 32;
    CHECK(Out[I][0] == (Base + 5) * 10);
    CHECK(Out[I][1] == (L ? I - 1 : I) * 10);
    CHECK(Out[I][5] == (L ? 1u : 0u));
    CHECK(Out[I][2] == (L < 30 ? I + 2 : I) * 10);
    CHECK(Out[I][3] == (I ^ 1) * 10);
    CHECK(Out[I][4] == (I / 8 * 8 + 3) * 10);
  }
}

TEST_CASE("lanes meet from different places of the code") {
  TestKernel K(
      "diverge", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        auto *Out = param<uint32_t *>(B, 0);
        uint32_t Odd = 0xaaaaaaaa, Even = 0x55555555;
        if (self() % 2) {
          Out[self()] = echo_cpu_vote(Odd, ECHO_CPU_VOTE_BALLOT, self() > 16);
          echo_cpu_syncwarp(~0u);
        } else {
          uint32_t Sum = echo_cpu_redux(Even, ECHO_CPU_REDUX_ADD, self());
          echo_cpu_syncwarp(~0u);
          Out[self()] = Sum;
        }
      },
      1);
  uint32_t Out[32];
  REQUIRE_CUDA(K.launch({1}, {32}, 0, nullptr, Out));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  for (int I = 0; I != 32; ++I)
    CHECK(Out[I] == (I % 2 ? 0xaaaa0000u : 240u));
}

TEST_CASE("votes, matches and reductions in a partial warp") {
  TestKernel K(
      "partial", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        auto *Out = param<uint32_t *>(B, 0) + 8 * self();
        if (self() == 3)
          return;
        int32_t Same = -1;
        Out[0] = echo_cpu_vote(~0u, ECHO_CPU_VOTE_ALL, 1);
        Out[1] = echo_cpu_vote(~0u, ECHO_CPU_VOTE_ANY, self() == 9);
        Out[2] = echo_cpu_vote(~0u, ECHO_CPU_VOTE_UNI, self() == 9);
        Out[3] = echo_cpu_match(~0u, 0, self() / 4, nullptr);
        Out[4] = echo_cpu_match(~0u, 1, 7, &Same);
        Out[5] = Same;
        Out[6] = echo_cpu_redux(~0u, ECHO_CPU_REDUX_MIN, 5 - self());
        Out[7] = echo_cpu_redux(~0u, ECHO_CPU_REDUX_UMAX, self());
      },
      1);
  uint32_t Out[10][8] = {};
  REQUIRE_CUDA(K.launch({1}, {10}, 0, nullptr, Out));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  for (unsigned I = 0; I != 10; ++I) {
    if (I == 3)
      continue;
    CHECK(Out[I][0] == 1);
    CHECK(Out[I][1] == 1);
    CHECK(Out[I][2] == 0);
    CHECK(Out[I][3] == (I < 4 ? 0x7u : I < 8 ? 0xf0u : 0x300u));
    CHECK(Out[I][4] == 0x3f7);
    CHECK(Out[I][5] == 1);
    CHECK(int(Out[I][6]) == -4);
    CHECK(Out[I][7] == 9);
  }
}

TEST_CASE("a spinning thread lets the others run") {
  TestKernel K(
      "spin", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        volatile int *Flag = param<int *>(B, 0);
        if (self() == 0)
          while (!*Flag)
            echo_cpu_yield();
        else if (self() == 40)
          *Flag = 1;
      },
      1);
  int Flag = 0;
  REQUIRE_CUDA(K.launch({1}, {64}, 0, nullptr, &Flag));
  CHECK_CUDA(cudaDeviceSynchronize());
}

TEST_CASE("three-dimensional blocks number their threads") {
  TestKernel K(
      "tid", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        const uint32_t *T = echo_cpu_self->tid;
        echo_cpu_barrier(0, 0);
        param<uint32_t *>(B, 0)[self()] = T[0] + 10 * T[1] + 100 * T[2];
      },
      1);
  uint32_t Out[24];
  REQUIRE_CUDA(K.launch({1}, {2, 3, 4}, 0, nullptr, Out));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  for (unsigned I = 0; I != 24; ++I)
    CHECK(Out[I] == I % 2 + 10 * (I / 2 % 3) + 100 * (I / 6));
}

TEST_CASE("child: stuck block", "[.]") {
  TestKernel K(
      "halfBarrier", TestKernel::Fibers,
      [](const EchoCpuBlock *) {
        if (self() < 16)
          echo_cpu_barrier(0, 0);
        else
          echo_cpu_syncwarp(~0u);
      },
      0);
  REQUIRE_CUDA(K.launch({4}, {32}, 0, nullptr));
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(K.launch({1}, {32}, 0, nullptr) == cudaErrorLaunchFailure);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
  CHECK_CUDA(cudaDeviceReset());
  TestKernel Fine(
      "fine", TestKernel::Fibers,
      [](const EchoCpuBlock *) { echo_cpu_barrier(0, 0); }, 0);
  CHECK_CUDA(Fine.launch({4}, {64}, 0, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
}

TEST_CASE("a stuck block is a failure that names the kernel") {
  ChildResult R = runChild("child: stuck block", {"ECHO_CPU_THREADS=1"});
  INFO(R.Output);
  CHECK(R.Status == 0);
  // Under ThreadSanitizer two threads share a grid, whatever the number of
  // workers.
  CHECK(R.Output.find("kernel halfBarrier: block [") != std::string::npos);
  CHECK(R.Output.find("is stuck: of 32 threads 0 have ended, 16 wait at a "
                      "barrier and 16 in a warp operation") !=
        std::string::npos);
}

TEST_CASE("child: big stack", "[.]") {
  TestKernel K(
      "deep", TestKernel::Fibers,
      [](const EchoCpuBlock *B) {
        volatile char Local[300 << 10];
        for (size_t I = 0; I < sizeof(Local); I += 512)
          Local[I] = 1;
        echo_cpu_barrier(0, 0);
        param<char *>(B, 0)[self()] = Local[512];
      },
      1);
  TestKernel Shallow(
      "shallow", TestKernel::Fibers,
      [](const EchoCpuBlock *) { echo_cpu_barrier(0, 0); }, 0);
  CHECK_CUDA(Shallow.launch({8}, {32}, 0, nullptr));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  REQUIRE_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 400 << 10));
  char Out[32] = {};
  CHECK_CUDA(K.launch({1}, {32}, 0, nullptr, Out));
  REQUIRE_CUDA(cudaDeviceSynchronize());
  CHECK(Out[31] == 1);
}

TEST_CASE("the stack limit may be raised") {
  ChildResult R = runChild("child: big stack", {});
  INFO(R.Output);
  CHECK(R.Status == 0);
}
