//===- BlockTest.cpp - Acquire and release --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who may share a block with whom, and when its memory goes away.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "Fresh.h"

#include <catch2/catch.hpp>

#include <cstring>

static constexpr size_t N = 1 << 20;
static EchoGroup G = makeGroup(), Other = makeGroup("other");

static void *host(size_t Bytes, void *Partner, uint32_t Zeroed = 0) {
  return echort_acquire(&G, ECHO_HOST, Bytes, Partner, Zeroed);
}
static void *device(size_t Bytes, void *Partner) {
  return echort_acquire(&G, ECHO_DEVICE, Bytes, Partner, 0);
}

TEST_CASE("host first, device joins, host freed first") {
  FRESH({}, [] {
    void *H = host(N, nullptr);
    EXPECT(H && reinterpret_cast<uintptr_t>(H) % 256 == 0);
    memset(H, 1, N);
    EXPECT(device(N, H) == H);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    static_cast<char *>(H)[N - 1] = 2; // still the device's
    EXPECT(echort_release(ECHO_DEVICE, H) == 1);
    EXPECT(echort_release(ECHO_DEVICE, H) == 0);
  });
}

TEST_CASE("device first, host joins, device freed first") {
  FRESH({}, [] {
    void *D = device(N, nullptr);
    EXPECT(D);
    EXPECT(host(N, D) == D);
    EXPECT(echort_release(ECHO_DEVICE, D) == 1);
    EXPECT(fake::calls("wait") == 1);
    static_cast<char *>(D)[0] = 3;
    EXPECT(echort_release(ECHO_HOST, D) == 1);
    EXPECT(echort_release(ECHO_HOST, D) == 0);
  });
}

TEST_CASE("partners that must not be joined") {
  FRESH({}, [] {
    char *H = static_cast<char *>(host(N, nullptr));
    EXPECT(!device(N, H + 256)); // inside, not at the start
    void *Own = malloc(N);       // the program's
    EXPECT(!device(N, Own));
    free(Own);
    EXPECT(!device(N + 1, H));                             // too small
    EXPECT(!host(N, H));                                   // role is held
    EXPECT(!echort_acquire(&Other, ECHO_DEVICE, N, H, 0)); // another group
    EXPECT(device(N - 1, H) == H);                         // smaller is fine
    EXPECT(!device(N - 1, H));                             // role is held now
    echort_release(ECHO_HOST, H);
    echort_release(ECHO_DEVICE, H);
    EXPECT(!device(N, H)); // stale
    EXPECT(device(N, nullptr));
  });
}

TEST_CASE("two host buffers may share a block") {
  FRESH({}, [] {
    static EchoGroup Two = makeGroup("two", ECHO_GROUP_TWO_HOSTS);
    auto Join = [&](uint32_t Role, void *Partner) {
      return echort_acquire(&Two, Role, N, Partner, 0);
    };
    void *In = Join(ECHO_HOST, nullptr);
    EXPECT(In && Join(ECHO_HOST, In) == In && Join(ECHO_DEVICE, In) == In);
    EXPECT(!Join(ECHO_HOST, In)); // no third
    EXPECT(echort_release(ECHO_HOST, In) == 1);
    EXPECT(Join(ECHO_HOST, In) == In);
    for (int I = 0; I < 2; ++I)
      EXPECT(echort_release(ECHO_HOST, In) == 1);
    EXPECT(echort_release(ECHO_HOST, In) == 0);
    static_cast<char *>(In)[0] = 1; // still the device's
    EXPECT(echort_release(ECHO_DEVICE, In) == 1);
    // The next block starts with one.
    void *Next = Join(ECHO_HOST, nullptr);
    EXPECT(Next && echort_release(ECHO_HOST, Next) == 1);
    EXPECT(echort_release(ECHO_HOST, Next) == 0);
  });
}

TEST_CASE("a group may ask for buffers of one size") {
  FRESH({}, [] {
    static EchoGroup Same = makeGroup("same", ECHO_GROUP_SAME_SIZE);
    void *H = echort_acquire(&Same, ECHO_HOST, 4096, nullptr, 0);
    EXPECT(H);
    EXPECT(!echort_acquire(&Same, ECHO_DEVICE, 4095, H, 0));
    EXPECT(!echort_acquire(&Same, ECHO_DEVICE, 4097, H, 0));
    EXPECT(echort_acquire(&Same, ECHO_DEVICE, 4096, H, 0) == H);
    EXPECT(echort_release(ECHO_DEVICE, H) == 1);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
  });
}

TEST_CASE("capacity is what was asked for, not what was reserved") {
  FRESH({}, [] {
    void *H = host(N + 1, nullptr);
    EXPECT(!device(N + 2, H));
    EXPECT(device(N + 1, H) == H);
  });
}

TEST_CASE("a device buffer made again in a loop joins again") {
  FRESH({}, [] {
    void *H = host(N, nullptr);
    for (int I = 0; I != 3; ++I) {
      EXPECT(device(N, H) == H);
      EXPECT(echort_release(ECHO_DEVICE, H) == 1);
    }
    EXPECT(echort_release(ECHO_HOST, H) == 1);
  });
}

TEST_CASE("release knows roles and foreign pointers") {
  FRESH({}, [] {
    int Local;
    void *P = malloc(N);
    EXPECT(echort_release(ECHO_HOST, nullptr) == 0);
    EXPECT(echort_release(ECHO_HOST, &Local) == 0);
    EXPECT(fake::calls() == 0);
    void *H = host(N, nullptr);
    EXPECT(echort_release(ECHO_DEVICE, H) > 1); // role not held
    EXPECT(echort_release(ECHO_HOST, P) == 0);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(echort_release(ECHO_HOST, H) == 0); // double free
    free(P);
  });
}

TEST_CASE("a block has the alignment that the program asks for, or is none") {
  for (const char *Kind : {"system", "managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      static EchoGroup Page = makeGroup("page", 12u << ECHO_GROUP_ALIGN_SHIFT);
      static EchoGroup Huge = makeGroup("huge", 40u << ECHO_GROUP_ALIGN_SHIFT);
      void *H = echort_acquire(&Page, ECHO_HOST, N, nullptr, 0);
      EXPECT(H && !(reinterpret_cast<uintptr_t>(H) & 4095));
      EXPECT(echort_acquire(&Page, ECHO_DEVICE, N, H, 0) == H);
      EXPECT(!echort_acquire(&Huge, ECHO_HOST, N, nullptr, 0));
      EXPECT(!echort_acquire(&Huge, ECHO_DEVICE, N, nullptr, 0));
      EXPECT(echort_release(ECHO_HOST, H) == 1);
      EXPECT(echort_release(ECHO_DEVICE, H) == 1);
    });
}

TEST_CASE("a block begins where no copy to malloc's memory is slow") {
  for (const char *Kind : {"system", "managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      for (size_t Bytes : {size_t(1), N - 512, N, 4 * N})
        EXPECT((reinterpret_cast<uintptr_t>(host(Bytes, nullptr)) & 4095) ==
               512);
    });
}

TEST_CASE("memory that is not aligned counts as no device memory") {
  FRESH({}, [] {
    static EchoGroup Huge = makeGroup("huge", 40u << ECHO_GROUP_ALIGN_SHIFT);
    fake::script().TotalMemory = N;
    EXPECT(!echort_acquire(&Huge, ECHO_DEVICE, N, nullptr, 0));
    EXPECT(device(N, nullptr)); // all of it is there
  });
}

TEST_CASE("buffers under the threshold stay apart") {
  FRESH({}, [] {
    static EchoGroup Large = makeGroup("large");
    Large.minBytes = 4096;
    EXPECT(!echort_acquire(&Large, ECHO_HOST, 4095, nullptr, 0));
    EXPECT(echort_acquire(&Large, ECHO_HOST, 4096, nullptr, 0));
  });
}

TEST_CASE("requests that make no sense are split") {
  FRESH({}, [] {
    EchoGroup Old = G;
    Old.version = ECHO_RT_ABI_VERSION + 1;
    EXPECT(!host(0, nullptr));
    EXPECT(!echort_acquire(nullptr, ECHO_HOST, N, nullptr, 0));
    EXPECT(!echort_acquire(&Old, ECHO_HOST, N, nullptr, 0));
    EXPECT(!echort_acquire(&G, 2, N, nullptr, 0));
    EXPECT(!host(SIZE_MAX, nullptr));
    EXPECT(!host(SIZE_MAX - (1 << 20), nullptr));
    EXPECT(fake::lastError() == 0);
  });
}

TEST_CASE("zeroed blocks read as zero, fresh and from the pool") {
  for (const char *Kind : {"system", "managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      for (int I = 0; I != 3; ++I) {
        char *H = static_cast<char *>(host(N, nullptr, 1));
        EXPECT(H);
        EXPECT(H[0] == 0 && !memcmp(H, H + 1, N - 1));
        memset(H, 7, N);
        EXPECT(device(N, H) == H);
        echort_release(ECHO_DEVICE, H);
        echort_release(ECHO_HOST, H);
      }
    });
}

TEST_CASE("zeroes that a copy overwrites are there unless the buffer joins") {
  FRESH({{"ECHO_BACKING", "system"}}, [] {
    for (int I = 0; I != 2; ++I) {
      char *Alone =
          static_cast<char *>(host(N, nullptr, ECHO_ZEROES_UNLESS_JOINED));
      EXPECT(Alone);
      EXPECT(Alone[0] == 0 && !memcmp(Alone, Alone + 1, N - 1));
      memset(Alone, 7, N);
      echort_release(ECHO_HOST, Alone);
    }
    char *D = static_cast<char *>(device(N, nullptr));
    memset(D, 7, N);
    EXPECT(host(N, D, ECHO_ZEROES_UNLESS_JOINED) == D);
    EXPECT(D[0] == 7 && !memcmp(D, D + 1, N - 1));
  });
}

TEST_CASE("echort does not start CUDA where the program may need it later") {
  FRESH({{"ECHO_BACKING", "system"}}, [] {
    static EchoGroup Late = {
        ECHO_RT_ABI_VERSION, ECHO_GROUP_LATE_CUDA, "late", nullptr, 0, nullptr};
    EXPECT(!echort_acquire(&Late, ECHO_HOST, N, nullptr, 0));
    // The program calls CUDA here itself.
    void *D = echort_acquire(&Late, ECHO_DEVICE, N, nullptr, 0);
    EXPECT(D);
    EXPECT(echort_acquire(&Late, ECHO_HOST, N, D, 0) == D);
  });
}

TEST_CASE("a zeroed host side joins, and is cleared, where nothing runs") {
  FRESH({}, [] {
    char *Other = static_cast<char *>(device(N, nullptr));
    fake::script().Busy = true;
    EXPECT(!host(N, Other, 1));
    fake::script().Busy = false;
    char *D = static_cast<char *>(device(N, nullptr));
    memset(D, 7, N);
    EXPECT(host(N, D, 1) == D);
    EXPECT(D[0] == 0 && !memcmp(D, D + 1, N - 1));
    EXPECT(fake::calls("wait") == 1);
  });
}

TEST_CASE("more than the device's memory is the program's to report") {
  FRESH({}, [] {
    fake::script().TotalMemory = 2 * N;
    void *H = host(3 * N, nullptr);
    EXPECT(H);
    EXPECT(!device(3 * N, H));
    EXPECT(!device(3 * N, nullptr));
    EXPECT(!device(SIZE_MAX, nullptr));
    EXPECT(device(N, H) == H);
    void *D = device(N, nullptr);
    EXPECT(D);
    EXPECT(!device(1, nullptr)); // all of it is taken
    EXPECT(echort_release(ECHO_DEVICE, H) == 1);
    EXPECT(device(N, nullptr));
    EXPECT(!device(1, nullptr));
    EXPECT(fake::calls("cudaMemGetInfo") == 1);
  });
}

TEST_CASE("the errors of frees are the program's") {
  for (const char *Kind : {"system", "managed", "mapped"})
    for (bool Pinned : {false, true})
      FRESH({{"ECHO_BACKING", Kind}}, [Pinned] {
        G.flags |= Pinned ? ECHO_GROUP_PINNED_HOST : 0;
        void *H = host(N, nullptr);
        EXPECT(device(N, H) == H);
        fake::script().SyncError = 719;
        EXPECT(echort_release(ECHO_HOST, H) == (Pinned ? 1 + 719 : 1));
        EXPECT(fake::lastError() == (Pinned ? 719 : 0));
        EXPECT(echort_release(ECHO_DEVICE, H) == 1 + 719);
        EXPECT(fake::lastError() == 719);
      });
}

TEST_CASE("a free that a capture forbids leaves the buffer") {
  FRESH({}, [] {
    void *H = host(N, nullptr);
    EXPECT(device(N, H) == H);
    fake::script().SyncError = 900;
    EXPECT(echort_release(ECHO_DEVICE, H) == 1 + 900);
    fake::script().SyncError = 0;
    EXPECT(echort_release(ECHO_DEVICE, H) == 1);
  });
}

TEST_CASE("where CUDA reports an error that stays, no device side joins") {
  FRESH({}, [] {
    void *H = host(N, nullptr);
    fake::script().CaptureInProgress = true; // or any error of the stream's
    EXPECT(!device(N, H));
    fake::script().CaptureInProgress = false;
    EXPECT(device(N, H) == H);
    EXPECT(fake::lastError() == 0);
  });
}

TEST_CASE("another device does not join") {
  FRESH({}, [] {
    fake::script().Devices = 2;
    void *H = host(N, nullptr);
    fake::selectDevice(1);
    EXPECT(!device(N, H));
    fake::selectDevice(0);
    EXPECT(device(N, H) == H);
    // Work of the block's device is waited for, wherever the program is.
    fake::selectDevice(1);
    fake::takeLog();
    EXPECT(echort_release(ECHO_DEVICE, H) == 1);
    EXPECT(fake::takeLog() ==
           std::vector<std::string>{"cudaSetDevice(0)", "cudaHostAlloc(3)",
                                    "wait", "cudaSetDevice(1)"});
  });
}

TEST_CASE("a reset device's blocks are forgotten") {
  for (const char *Kind : {"managed", "mapped"})
    for (bool Reused : {false, true})
      FRESH({{"ECHO_BACKING", Kind}}, [Reused] {
        // The host leaks its side, the device its, or both.
        void *H = host(N, nullptr), *D = device(N, nullptr);
        void *Both = host(N, nullptr);
        EXPECT(device(N, Both) == Both);
        void *Joined = device(N, nullptr);
        fake::resetDevice(Reused);
        fake::takeLog();
        // What lies there now is the program's.
        EXPECT(echort_release(ECHO_DEVICE, H) == 0);
        EXPECT(echort_release(ECHO_HOST, D) == 0);
        EXPECT(echort_release(ECHO_DEVICE, Both) == 0);
        EXPECT(!host(N, Joined)); // split, as its partner is
        EXPECT(fake::takeLog().empty());
        EXPECT(fake::lastError() == 0);
      });
}

TEST_CASE("a block whose device was not reset stays, whatever CUDA answers") {
  for (const char *Kind : {"managed", "mapped"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      void *H = host(N, nullptr);
      fake::script().Fail["cudaPointerGetAttributes"] = 719;
      EXPECT(echort_release(ECHO_HOST, H) == 1);
      EXPECT(fake::lastError() == 0);
    });
}

TEST_CASE("device buffers that a reset took no longer count") {
  FRESH({{"ECHO_BACKING", "mapped"}}, [] {
    fake::script().TotalMemory = 2 * N;
    EXPECT(device(N, nullptr) && device(N, nullptr));
    EXPECT(!device(N, nullptr));
    fake::resetDevice();
    EXPECT(host(N, nullptr)); // begins a life
    EXPECT(device(N, nullptr));
  });
}

TEST_CASE("realloc leaves what lies where a block was to libc") {
  FRESH({{"ECHO_BACKING", "mapped"}}, [] {
    void *H = host(N, nullptr), *Fresh = nullptr;
    fake::resetDevice();
    EXPECT(echort_resize(H, 2 * N, nullptr, &Fresh) == 0);
  });
}
