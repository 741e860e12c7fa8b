//===- PinningTest.cpp - Backing pinned-split -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which host buffers get memory of echort's, when that is pinned, and that no
// trace of it is left: not after a free, a failure, a reset or in a child.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Pinning.h"
#include "FakeCuda.h"
#include "Fresh.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static constexpr size_t Mi = 1 << 20;
static EchoGroup G = makeGroup();
static char ProgramsOwn[64]; ///< stands for the program's device buffer

static void discrete() {
  fake::script().Attributes = {{18, 0}, {88, 0}, {89, 1}, {99, 1}, {100, 0}};
}
static char *host(void *Partner = nullptr, size_t Bytes = Mi,
                  bool Zeroed = false) {
  return static_cast<char *>(
      echort_acquire(&G, ECHO_HOST, Bytes, Partner, Zeroed));
}
static void copies(void *Host, int N, size_t Bytes = Mi) {
  for (int I = 0; I != N; ++I)
    copyBegins(G, Host, Bytes);
}

TEST_CASE("pinned-split leaves the device buffer to the program") {
  FRESH({}, [] {
    discrete();
    char *H = host();
    EXPECT(H);
    memset(H, 1, Mi);
    EXPECT(!echort_acquire(&G, ECHO_DEVICE, Mi, H, 0));
    EXPECT(echort_release(ECHO_DEVICE, ProgramsOwn) == 0);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    // The device buffer first.
    EXPECT(!echort_acquire(&G, ECHO_DEVICE, Mi, nullptr, 0));
    H = host(ProgramsOwn);
    EXPECT(H && echort_release(ECHO_HOST, H) == 1);
    EXPECT(fake::takeLog().empty()); // no call that changes anything
  });
}

TEST_CASE("a second host buffer gets memory of its own") {
  FRESH({}, [] {
    discrete();
    G.flags |= ECHO_GROUP_TWO_HOSTS;
    char *A = host(), *B = host(A);
    EXPECT(A && B && A != B);
    EXPECT(echort_release(ECHO_HOST, A) == 1);
    EXPECT(echort_release(ECHO_HOST, A) == 0);
    EXPECT(echort_release(ECHO_HOST, B) == 1);
  });
}

TEST_CASE("memory is pinned when its copies repeat") {
  FRESH({}, [] {
    discrete();
    char *H = host();
    copies(H, 5);
    EXPECT(fake::registered() == 0);
    copies(H, 1);
    EXPECT(fake::registered() == 1);
    EXPECT(fake::calls("cudaHostRegister") == 1);
    // Through the pool, too: the next activation finds it pinned.
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(host() == H);
    copies(H, 1);
    EXPECT(fake::calls("cudaHostRegister") == 1);
    EXPECT(fake::calls("cudaHostUnregister") == 0);
  });
}

TEST_CASE("what is large is pinned at its third copy, no sooner") {
  FRESH({}, [] {
    discrete();
    for (size_t Bytes : {8 * Mi, 16 * Mi, 64 * Mi}) {
      char *H = host(nullptr, Bytes);
      unsigned Before = fake::registered();
      copies(H, 2, Bytes);
      EXPECT(fake::registered() == Before);
      copies(H, 1, Bytes);
      EXPECT(fake::registered() == Before + 1);
    }
  });
}

TEST_CASE("parts count by their bytes") {
  FRESH({}, [] {
    discrete();
    char *H = host();
    copies(H, 18, Mi / 4);
    EXPECT(fake::registered() == 0);
    copies(H, 1, Mi / 4);
    EXPECT(fake::registered() == 1);
  });
}

TEST_CASE("forced, memory of any size is pinned at once") {
  FRESH({{"ECHO_BACKING", "pinned-split"}}, [] {
    char *H = host(nullptr, 100);
    copies(H, 1, 100);
    EXPECT(fake::registered() == 1);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
  });
}

TEST_CASE("copies of other memory are none of its business") {
  FRESH({}, [] {
    copies(nullptr, 5);
    copies(ProgramsOwn, 5);
    char *Merged = host(); // the default device shares memory
    EXPECT(Merged);
    fake::takeLog();
    copies(Merged, 5);
    EXPECT(fake::takeLog().empty());
    echort_release(ECHO_HOST, Merged);
  });
}

TEST_CASE("memory that cannot be pinned stays as it is") {
  FRESH({}, [] {
    discrete();
    fake::script().Fail["cudaHostRegister"] = 2;
    char *H = host();
    copies(H, 9);
    EXPECT(fake::calls("cudaHostRegister") == 1);
    EXPECT(fake::lastError() == 0);
    EXPECT(echo::rt::pinnedBytes() == 0);
    H[Mi - 1] = 1;
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(fake::calls("cudaHostUnregister") == 0);
  });
}

TEST_CASE("an error that the program has pending keeps memory unpinned") {
  FRESH({}, [] {
    discrete();
    char *H = host();
    fake::setLastError(9);
    copies(H, 8);
    EXPECT(fake::registered() == 0 && fake::lastError() == 9);
    fake::setLastError(0);
    copies(H, 1);
    EXPECT(fake::registered() == 1);
  });
}

TEST_CASE("memory that goes back is unpinned first") {
  FRESH({}, [] {
    discrete();
    const size_t Large = echo::rt::poolBound() + Mi; // too large for the pool
    char *H = host(nullptr, Large);
    copies(H, 3, Large);
    EXPECT(echo::rt::pinnedBytes() >= Large);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(fake::registered() == 0 && echo::rt::pinnedBytes() == 0);
    // A reset of the device takes the pin, but not the memory.
    H = host(nullptr, Large);
    copies(H, 3, Large);
    fake::resetDevice();
    H[0] = 1;
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(fake::lastError() == 0);
  });
}

TEST_CASE("at most half of the machine's memory is pinned") {
  FRESH({}, [] {
    discrete();
    const auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t Third = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * Page / 3;
    char *A = host(nullptr, Third), *B = host(nullptr, Third);
    if (!A || !B)
      return; // the system does not promise so much
    copies(A, 3, Third);
    copies(B, 9, Third);
    EXPECT(fake::calls("cudaHostRegister") == 1);
    EXPECT(echo::rt::pinnedBytes() <= Third + Page);
    EXPECT(echort_release(ECHO_HOST, A) == 1);
    EXPECT(echort_release(ECHO_HOST, B) == 1);
    EXPECT(echo::rt::pinnedBytes() == 0);
  });
}

TEST_CASE("calloc's memory is zero from the pool, too") {
  FRESH({}, [] {
    discrete();
    char *H = host(nullptr, Mi, true);
    EXPECT(H[Mi - 1] == 0);
    memset(H, 7, Mi);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(host(nullptr, Mi, true) == H);
    EXPECT(H[0] == 0 && H[Mi - 1] == 0);
  });
}

TEST_CASE("threads pin a block once") {
  FRESH({}, [] {
    discrete();
    char *H = host();
    std::thread T[8];
    for (std::thread &Each : T)
      Each = std::thread([H] { copies(H, 100); });
    for (std::thread &Each : T)
      Each.join();
    EXPECT(fake::calls("cudaHostRegister") == 1);
    EXPECT(echo::rt::pinnedBytes() / Mi == 1);
  });
}

TEST_CASE("a child reads and frees its parent's pinned memory without CUDA") {
  FRESH({}, [] {
    discrete();
    char *H = host(), *Pooled = host();
    memset(H, 5, Mi);
    copies(H, 6);
    copies(Pooled, 6);
    EXPECT(echort_release(ECHO_HOST, Pooled) == 1);
    pid_t Child = fork();
    if (Child == 0) {
      alarm(30);
      unsigned Before = fake::calls();
      EXPECT(H[Mi - 1] == 5);
      copies(H, 6);
      EXPECT(!host());
      EXPECT(echort_release(ECHO_HOST, H) == 1);
      EXPECT(fake::calls() == Before);
      _exit(failedExpectations() ? 1 : 0);
    }
    int Status = -1;
    waitpid(Child, &Status, 0);
    EXPECT(Status == 0);
    EXPECT(H[0] == 5 && fake::registered() == 2);
  });
}

TEST_CASE("pinned-split at exit") {
  CHECK(runFresh({{"ECHO_VERBOSE", "1"}},
                 [] {
                   discrete();
                   copies(host(), 8);
                 })
            .Errors ==
        "echo: a.cu:1:1 h + a.cu:2:1 d: host side pinned, copies stay "
        "(pinned-split)\n"
        "echo: 0 pairs merged, 0 bytes not copied, 0 waits kept; 1 host buffer "
        "in pinned-split, 3145728 bytes copied from or to pinned memory\n");
}
