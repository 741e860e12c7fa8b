//===- WatchTest.cpp - What ECHO_WATCH sees in copies ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of an assumed pair on the CPU device: which stay apart, which changes
// between two copies count as a difference, and what is said of it. Each case
// that is silent has one beside it that is not.
//
//===----------------------------------------------------------------------===//
#include "Fresh.h"
#include "runtime/rt/CudaDecls.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

extern "C" {
cudaError_t cudaMalloc(void **Pointer, size_t Bytes);
cudaError_t cudaMemset(void *Pointer, int Value, size_t Bytes);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned Flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t Stream, void (*Fn)(void *),
                               void *Data);
}

using namespace echo::rt;

static constexpr size_t N = 1 << 16;
static EchoGroup G =
    makeGroup("a.cu:1:1 h + a.cu:2:1 d", unsigned(ECHO_GROUP_ASSUMED));

namespace {
/// Two buffers, allocated and copied as a rewritten program would.
struct Buffers {
  explicit Buffers(EchoGroup &Of = G) : Group(Of) {
    EXPECT(!echort_acquire(&Group, ECHO_HOST, N, nullptr, 0));
    Host = static_cast<char *>(malloc(N));
    EXPECT(!echort_acquire(&Group, ECHO_DEVICE, N, Host, 0));
    void *Memory = nullptr;
    EXPECT(cudaMalloc(&Memory, N) == 0);
    Device = static_cast<char *>(Memory);
    memset(Host, 1, N);
    EXPECT(cudaMemset(Device, 2, N) == 0);
  }
  void copy(void *To, const void *From, size_t Bytes, uint32_t Order,
            bool Part) const {
    int32_t Done =
        Part ? echort_linking_part(&Group, Order, nullptr, To, From, Bytes,
                                   nullptr, 0, nullptr)
             : echort_linking_copy(&Group, Order, nullptr, To, From, Bytes);
    EXPECT(!Done);
    EXPECT(cudaMemcpy(To, From, Bytes, /*Default=*/4) == 0);
  }
  void upload(size_t Offset = 0, size_t Bytes = N) const {
    copy(Device + Offset, Host + Offset, Bytes, ECHO_COPY_H2D_SYNC, Bytes != N);
  }
  void download(size_t Offset = 0, size_t Bytes = N) const {
    copy(Host + Offset, Device + Offset, Bytes, ECHO_COPY_D2H_SYNC, Bytes != N);
  }
  /// What a kernel would do.
  void change(size_t Offset, int Value, size_t Bytes = 1) const {
    EXPECT(cudaMemset(Device + Offset, Value, Bytes) == 0);
  }

  EchoGroup &Group;
  char *Host, *Device;
};
} // namespace

static const Environment All = {{"ECHO_WATCH", "1"},
                                {"ECHO_BACKING", "mapped"}};

/// What \p Body prints, which must be one line of the pair.
static std::string lineOf(const std::function<void()> &Body,
                          const Environment &Env = All) {
  Outcome Result = runFresh(Env, Body);
  CHECK(Result.Status == 0);
  const std::string Begin = "echo: a.cu:1:1 h + a.cu:2:1 d: ";
  REQUIRE(Result.Errors.substr(0, Begin.size()) == Begin);
  CHECK(Result.Errors.find('\n') == Result.Errors.size() - 1);
  return Result.Errors.substr(Begin.size());
}

TEST_CASE("a round trip and new input differ in nothing") {
  FRESH(All, [] {
    Buffers B;
    for (int Round = 0; Round != 3; ++Round) {
      memset(B.Host, Round + 3, N);
      B.upload();
      B.change(5, Round + 10, 100);
      B.download();
    }
  });
}

TEST_CASE("what the GPU changed and no download took") {
  CHECK(lineOf([] {
          Buffers B;
          B.upload();
          B.change(5, 9);
          B.upload();
        }) == "one block would differ: before copy 2 of these buffers, an "
              "upload, the GPU had changed byte 5 of it from 01 to 09, and the "
              "host buffer holds 01; kept apart from now on\n");
}

TEST_CASE("what the host changed and no upload took") {
  CHECK(lineOf([] {
          Buffers B;
          B.upload();
          B.Host[N - 1] = 9;
          B.change(0, 3);
          B.download();
        }) == "one block would differ: before copy 2 of these buffers, a "
              "download, the host had changed byte 65535 of it from 01 to 09, "
              "and the device buffer holds 01; kept apart from now on\n");
}

TEST_CASE("what both changed alike is no difference") {
  FRESH(All, [] {
    Buffers B;
    B.upload();
    B.Host[7] = 9;
    B.change(7, 9);
    B.upload();
  });
  lineOf([] {
    Buffers B;
    B.upload();
    B.Host[7] = 8;
    B.change(7, 9);
    B.upload();
  });
}

TEST_CASE("the first copy is compared with nothing") {
  FRESH(All, [] { Buffers().upload(); });
  FRESH(All, [] { Buffers().download(); });
}

TEST_CASE("buffers at the place of freed ones are others") {
  for (bool Frees : {true, false}) {
    auto Run = [Frees] {
      Buffers B;
      B.upload();
      if (Frees)
        EXPECT(!echort_release(ECHO_DEVICE, B.Device));
      B.change(5, 9); // as another buffer's content
      B.upload();
    };
    if (Frees)
      FRESH(All, Run);
    else
      lineOf(Run);
  }
}

TEST_CASE("parts are compared where they lie") {
  FRESH(All, [] {
    Buffers B;
    B.upload(0, 256);
    B.upload(512, 256);
    B.change(256, 9, 256); // between the two
    B.upload(0, 256);
    B.upload(512, 256);
    B.upload(256, 256);
    EXPECT(!echort_release(ECHO_HOST, B.Host));
    B.change(512, 9);
    B.upload(512, 256);
  });
  CHECK(lineOf([] {
          Buffers B;
          B.upload(0, 256);
          B.upload(512, 256);
          B.change(515, 9);
          B.upload(512, 200);
        })
            .find("before copy 3 of these buffers, an upload, the GPU had "
                  "changed byte 3 of it") != std::string::npos);
}

TEST_CASE("one in so many is watched, and none after a difference") {
  FRESH({{"ECHO_WATCH", "3"}, {"ECHO_BACKING", "mapped"}}, [] {
    int Merged = 0;
    for (int I = 0; I != 7; ++I)
      Merged += echort_acquire(&G, ECHO_HOST, N, nullptr, 0) != nullptr;
    EXPECT(Merged == 4);
  });
  lineOf(
      [] {
        Buffers B;
        B.upload();
        void *Before = echort_acquire(&G, ECHO_HOST, N, nullptr, 0);
        EXPECT(Before);
        B.change(5, 9);
        B.upload();
        for (int I = 0; I != 4; ++I)
          EXPECT(!echort_acquire(&G, ECHO_HOST, N, nullptr, 0));
        // What is merged stays so, and joins.
        EXPECT(echort_acquire(&G, ECHO_DEVICE, N, Before, 0) == Before);
      },
      {{"ECHO_WATCH", "3"}, {"ECHO_BACKING", "mapped"}});
}

TEST_CASE("pairs that are proved, and no ECHO_WATCH") {
  FRESH(All, [] {
    static EchoGroup Proved = makeGroup();
    EXPECT(echort_acquire(&Proved, ECHO_HOST, N, nullptr, 0));
  });
  FRESH({{"ECHO_BACKING", "mapped"}},
        [] { EXPECT(echort_acquire(&G, ECHO_HOST, N, nullptr, 0)); });
  FRESH({{"ECHO_WATCH", "0"}, {"ECHO_BACKING", "mapped"}},
        [] { EXPECT(echort_acquire(&G, ECHO_HOST, N, nullptr, 0)); });
}

TEST_CASE("pairs whose copies do not say what they move") {
  for (bool All : {true, false})
    CHECK(lineOf(
              [All] {
                static EchoGroup Rows =
                    makeGroup(G.name, unsigned(ECHO_GROUP_ASSUMED |
                                               ECHO_GROUP_UNWATCHED));
                for (int I = 0; I != 2; ++I) {
                  void *Block = echort_acquire(&Rows, ECHO_HOST, N, nullptr, 0);
                  EXPECT(!Block == All);
                }
              },
              {{"ECHO_WATCH", All ? "1" : "2"}, {"ECHO_BACKING", "mapped"}}) ==
          "not watched: its copies move rows, or may be of other buffers\n");
}

TEST_CASE("an asynchronous copy of pinned memory follows its stream") {
  auto Run = [](bool Differs) {
    static EchoGroup Pinned = makeGroup(
        G.name, unsigned(ECHO_GROUP_ASSUMED | ECHO_GROUP_PINNED_HOST));
    static Buffers *B;
    B = new Buffers(Pinned);
    cudaStream_t S = nullptr;
    EXPECT(cudaStreamCreateWithFlags(&S, 1) == 0);
    auto Copy = [&](void *To, void *From) {
      EXPECT(!echort_linking_copy(&Pinned, ECHO_COPY_ASYNC_PINNED, S, To, From,
                                  N));
      EXPECT(cudaMemcpyAsync(To, From, N, 4, S) == 0);
    };
    Copy(B->Device, B->Host);
    EXPECT(cudaLaunchHostFunc(
               S,
               [](void *) {
                 usleep(20000);
                 B->Device[5] = 9; // on the CPU device
               },
               nullptr) == 0);
    Differs ? Copy(B->Device, B->Host) : Copy(B->Host, B->Device);
    EXPECT(cudaStreamSynchronize(S) == 0);
    EXPECT(B->Host[5] == (Differs ? 1 : 9));
  };
  FRESH(All, [&] { Run(false); });
  CHECK(lineOf([&] { Run(true); }).find("byte 5") != std::string::npos);
}

TEST_CASE("where the device cannot be read, nothing is watched any more") {
  const Environment Some = {{"ECHO_WATCH", "2"}, {"ECHO_BACKING", "mapped"}};
  CHECK(lineOf(
            [] {
              Buffers B;
              B.upload();
              EXPECT(cudaMemcpy(nullptr, B.Host, N, MemcpyHostToDevice) != 0);
              const int Error = cudaPeekAtLastError();
              EXPECT(Error != 0);
              B.change(5, 9);
              EXPECT(!echort_linking_copy(&G, ECHO_COPY_H2D_SYNC, nullptr,
                                          B.Device, B.Host, N));
              EXPECT(cudaPeekAtLastError() == Error);
              EXPECT(cudaGetLastError() == Error);
              B.upload();
              EXPECT(echort_acquire(&G, ECHO_HOST, N, nullptr, 0));
            },
            Some) ==
        "not watched any more: the device buffer could not be read before "
        "a copy\n");
}
