//===- FaultTest.cpp - Every CUDA call may fail ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call after the other of a small program's fails, under each backing: of
// CUDA's, then of those that give memory of the system. The program must never
// see an error of a call that it did not write, never get memory that is not
// there, and always be able to go on as written.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "FakeLibc.h"
#include "Fresh.h"
#include "runtime/rt/Block.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <thread>

static constexpr size_t Mi = 1 << 20;
static EchoGroup G = makeGroup();

/// Two rounds of a loop, as the rewrite makes it.
static void program() {
  for (int Round = 0; Round != 2; ++Round) {
    auto *H =
        static_cast<char *>(echort_acquire(&G, ECHO_HOST, Mi, nullptr, Round));
    EXPECT(fake::lastError() == 0);
    bool Ours = H;
    if (!Ours)
      H = new char[Mi]();
    EXPECT(!Round || !H[Mi - 1]); // calloc
    void *D = echort_acquire(&G, ECHO_DEVICE, Mi, H, 0);
    EXPECT(fake::lastError() == 0);
    EXPECT(!D || D == H);
    memset(H, Round, Mi);
    for (int Copy = 0; Copy != 4; ++Copy) {
      if (D) {
        // The error of a wait is the copy's.
        int Error =
            echort_linking_copy(&G, ECHO_COPY_D2H_SYNC, nullptr, H, D, Mi) - 1;
        EXPECT(Error == 0 || fake::lastError() == Error);
        fake::setLastError(0);
        continue;
      }
      realCopy(G, Ours ? H : nullptr, Mi);
      EXPECT(fake::lastError() == 0);
    }
    EXPECT(H[Mi - 1] == Round);
    if (D) {
      EXPECT(echort_release(ECHO_DEVICE, D) >= 1);
      fake::setLastError(0); // what the wait for the device found
    }
    EXPECT(echort_release(ECHO_HOST, H) == Ours);
    EXPECT(fake::lastError() == 0);
    if (!Ours)
      delete[] H;
  }
}

TEST_CASE("a call that fails is never the program's") {
  for (const char *Kind :
       {"auto", "system", "managed", "mapped", "pinned-split"})
    for (unsigned Failing = 0, Calls = 1; Failing <= Calls; ++Failing) {
      Outcome R = runFresh({{"ECHO_BACKING", Kind}}, [&] {
        fake::script().Busy = true;
        fake::script().FailCall = Failing;
        program();
        fake::script().Busy = false;
        echo::rt::emptyPool();
        EXPECT(Failing || fake::liveAllocations() == 0);
        EXPECT(Failing || fake::registered() == 0);
        if (!Failing) // told by its output how many calls there are
          fprintf(stderr, "%u", fake::calls());
      });
      INFO(Kind << ", call " << Failing << ": " << R.Errors);
      REQUIRE(R.Status == 0);
      if (!Failing)
        Calls = static_cast<unsigned>(std::stoul(R.Errors));
      else
        CHECK(R.Errors == "");
    }
}

TEST_CASE("the system has no memory for one call") {
  for (const char *Kind :
       {"auto", "system", "managed", "mapped", "pinned-split"})
    for (unsigned Failing = 0, Calls = 1; Failing <= Calls; ++Failing) {
      Outcome R = runFresh({{"ECHO_BACKING", Kind}}, [&] {
        fake::failLibcCall(Failing);
        program();
        unsigned Made = fake::libcCalls();
        fake::failLibcCall(0);
        echo::rt::emptyPool();
        EXPECT(fake::liveAllocations() == 0);
        EXPECT(fake::registered() == 0);
        if (!Failing)
          fprintf(stderr, "%u", Made);
      });
      INFO(Kind << ", call " << Failing << ": " << R.Errors);
      REQUIRE(R.Status == 0);
      if (!Failing)
        REQUIRE((Calls = static_cast<unsigned>(std::stoul(R.Errors))) != 0);
      else
        CHECK(R.Errors == "");
    }
}

TEST_CASE("eight threads under memory pressure") {
  for (const char *Kind : {"system", "managed", "mapped", "pinned-split"})
    FRESH({{"ECHO_BACKING", Kind}}, [] {
      std::thread T[8];
      for (int Id = 0; Id != 8; ++Id)
        T[Id] = std::thread([Id] {
          for (int I = 0; I != 200; ++I) {
            size_t Bytes = Mi / 4 + 4096 * (I % 5);
            auto *H = static_cast<char *>(
                echort_acquire(&G, ECHO_HOST, Bytes, nullptr, 0));
            if (!H)
              continue; // as written
            void *D = echort_acquire(&G, ECHO_DEVICE, Bytes, H, 0);
            H[0] = H[Bytes - 1] = static_cast<char>(Id);
            realCopy(G, H, Bytes);
            if (I % 16 == Id)
              echo::rt::emptyPool();
            EXPECT(H[0] == Id && H[Bytes - 1] == Id);
            EXPECT(!D || echort_release(ECHO_DEVICE, D) == 1);
            EXPECT(echort_release(ECHO_HOST, H) == 1);
          }
        });
      // Now and then there is no memory.
      for (int I = 0; I != 50; ++I) {
        fake::failAllocations(I % 2);
        fake::failMaps(I % 2);
        std::this_thread::yield();
      }
      fake::failAllocations(false);
      fake::failMaps(false);
      for (std::thread &Each : T)
        Each.join();
      echo::rt::emptyPool();
      EXPECT(fake::liveAllocations() == 0 && fake::registered() == 0);
    });
}
