//===- LinkingCopyTest.cpp - What stays of a copy -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kind of copy and stream produces exactly the waits of its row.
//
//===----------------------------------------------------------------------===//
#include "FakeCuda.h"
#include "Fresh.h"

#include <catch2/catch.hpp>

#include <thread>

using Log = std::vector<std::string>;
static EchoGroup G = makeGroup();

static int copy(EchoCopy Kind, uintptr_t Stream = 0, unsigned Flags = 0) {
  static char Block; // both sides
  return echort_linking_copy(&G, Kind | Flags, reinterpret_cast<void *>(Stream),
                             &Block, &Block, 4096) -
         1;
}
static Log logOf(EchoCopy Kind, uintptr_t Stream = 0, unsigned Flags = 0) {
  fake::takeLog();
  EXPECT(copy(Kind, Stream, Flags) == 0);
  return fake::takeLog();
}
static Log waitOn(const std::string &Stream) {
  return {"cudaEventCreateWithFlags(2)", "cudaEventRecord(" + Stream + ")",
          "cudaEventSynchronize", "cudaEventDestroy"};
}
static Log markOn(const std::string &Stream) {
  return {"cudaEventCreateWithFlags(2)", "cudaEventRecord(" + Stream + ")",
          "cudaStreamWaitEvent(" + Stream + ")", "cudaEventDestroy"};
}
static Log busyLegacyWait() {
  Log Calls = waitOn("legacy");
  Calls.insert(Calls.begin(), "cudaStreamQuery(legacy)");
  return Calls;
}
static Log idleLegacyWait() {
  return {"cudaStreamQuery(legacy)", "cudaStreamSynchronize(legacy)"};
}
static constexpr EchoCopy Waiting[] = {ECHO_COPY_H2D_SYNC, ECHO_COPY_D2H_SYNC,
                                       ECHO_COPY_H2D_ASYNC_PAGEABLE,
                                       ECHO_COPY_D2H_ASYNC_PAGEABLE};

TEST_CASE(
    "a copy proved idle waits for nothing, and tells of errors that stay") {
  FRESH({}, [] {
    for (EchoCopy Kind : Waiting)
      EXPECT(copy(Kind, 0, ECHO_COPY_IDLE) == 0);
    EXPECT(copy(ECHO_COPY_ASYNC_PINNED, 0, ECHO_COPY_IDLE) == 0);
    EXPECT(fake::takeLog().empty());
    fake::script().Fail["cudaStreamIsCapturing"] = 719;
    fake::script().SyncError = 719;
    EXPECT(copy(ECHO_COPY_H2D_SYNC, 0, ECHO_COPY_IDLE) == 719);
    EXPECT(fake::lastError() == 719);
  });
}

TEST_CASE("waiting copies, by stream") {
  FRESH({}, [] {
    for (EchoCopy Kind : Waiting) {
      fake::script().Busy = false;
      // A copy that blocks writes what kernels printed, a query does not.
      bool Blocks = Kind == ECHO_COPY_H2D_SYNC || Kind == ECHO_COPY_D2H_SYNC;
      EXPECT(logOf(Kind) ==
             (Blocks ? idleLegacyWait() : Log{"cudaStreamQuery(legacy)"}));
      fake::script().Busy = true;
      EXPECT(logOf(Kind) == busyLegacyWait());
      EXPECT(logOf(Kind, 1, ECHO_COPY_PER_THREAD) == busyLegacyWait());
      EXPECT(logOf(Kind, 0, ECHO_COPY_PER_THREAD) == waitOn("per-thread"));
      EXPECT(logOf(Kind, 2) == waitOn("per-thread"));
      EXPECT(logOf(Kind, 64) == waitOn("64"));
    }
  });
}

TEST_CASE("pinned copies leave a marker in their stream") {
  FRESH({}, [] {
    EXPECT(logOf(ECHO_COPY_ASYNC_PINNED) == markOn("legacy"));
    EXPECT(logOf(ECHO_COPY_ASYNC_PINNED, 1) == markOn("legacy"));
    EXPECT(logOf(ECHO_COPY_ASYNC_PINNED, 64) == markOn("64"));
    EXPECT(logOf(ECHO_COPY_ASYNC_PINNED, 2) == markOn("per-thread"));
    EXPECT(logOf(ECHO_COPY_ASYNC_PINNED, 0, ECHO_COPY_PER_THREAD) ==
           markOn("per-thread"));
  });
}

TEST_CASE("asking whether work is in flight leaves no error") {
  FRESH({}, [] {
    fake::script().Busy = true;
    EXPECT(copy(ECHO_COPY_D2H_SYNC) == 0);
    EXPECT(fake::lastError() == 0);
    fake::setLastError(9); // the program's stays
    EXPECT(copy(ECHO_COPY_D2H_SYNC) == 0);
    EXPECT(fake::lastError() == 9);
  });
}

TEST_CASE("the wait's error is the copy's") {
  FRESH({}, [] {
    fake::script().SyncError = 700;
    EXPECT(copy(ECHO_COPY_D2H_SYNC) == 700);
    fake::script().Busy = true;
    EXPECT(copy(ECHO_COPY_D2H_SYNC) == 700);
    EXPECT(copy(ECHO_COPY_H2D_SYNC, 64) == 700);
    EXPECT(fake::lastError() == 700);
  });
}

TEST_CASE("without an event the device is waited for") {
  FRESH({}, [] {
    fake::script().Busy = true;
    fake::script().Fail["cudaEventCreateWithFlags"] = 2;
    EXPECT(copy(ECHO_COPY_D2H_SYNC) == 0);
    EXPECT(fake::calls("cudaDeviceSynchronize") == 1);
    EXPECT(fake::lastError() == 0);
  });
}

TEST_CASE("no event outlives a reset of the device") {
  FRESH({}, [] {
    EXPECT(copy(ECHO_COPY_D2H_SYNC, 64) == 0);
    fake::resetDevice();
    EXPECT(copy(ECHO_COPY_D2H_SYNC, 64) == 0);
    EXPECT(fake::calls("cudaEventCreateWithFlags") == 2);
    EXPECT(fake::calls("cudaEventSynchronize") == 2);
    EXPECT(fake::lastError() == 0);
  });
}

TEST_CASE("a stream of another device is waited for with its own events") {
  FRESH({}, [] {
    fake::script().Devices = 3;
    EXPECT(copy(ECHO_COPY_D2H_SYNC, 2001) == 0);
    EXPECT(fake::calls("cudaEventSynchronize") == 1);
    EXPECT(fake::lastError() == 0);
    EXPECT(fake::currentDevice() == 0);
  });
}

TEST_CASE("every event is given back") {
  FRESH({}, [] {
    for (EchoCopy Kind : {ECHO_COPY_D2H_SYNC, ECHO_COPY_ASYNC_PINNED})
      EXPECT(copy(Kind, 64) == 0);
    EXPECT(fake::calls("cudaEventCreateWithFlags") == 2);
    EXPECT(fake::calls("cudaEventDestroy") == 2);
    fake::script().Fail["cudaEventRecord"] = 700;
    EXPECT(copy(ECHO_COPY_D2H_SYNC, 64) == 700);
    EXPECT(fake::calls("cudaEventDestroy") == 3);
  });
}

TEST_CASE("a copy between two buffers is left as written") {
  FRESH({}, [] {
    char A = 0, B = 0;
    fake::takeLog();
    EXPECT(echort_linking_copy(&G, ECHO_COPY_D2H_SYNC, nullptr, &A, &B, 1) ==
           0);
    EXPECT(echort_linking_copy(&G, ECHO_COPY_D2H_SYNC, nullptr, nullptr,
                               nullptr, 1) == 0);
    EXPECT(echort_linking_part(&G, ECHO_COPY_D2H_SYNC, nullptr, &A, &B, 1, &A,
                               1, nullptr) == 0);
    EXPECT(fake::takeLog() == Log{});
  });
}

TEST_CASE("one that failed keeps its order where there are blocks") {
  FRESH({}, [] {
    uint32_t Order = (ECHO_COPY_D2H_SYNC + 1) << ECHO_COPY_FAILED_SHIFT;
    fake::takeLog();
    echort_copy_ran(Order, nullptr, 2);
    EXPECT(fake::takeLog() == Log{}); // there are none
    void *Block = echort_acquire(&G, ECHO_DEVICE, 4096, nullptr, 0);
    EXPECT(Block);
    fake::takeLog();
    echort_copy_ran(Order, nullptr, 0);
    echort_copy_ran(ECHO_COPY_D2H_SYNC, nullptr, 2); // nobody rests on it
    EXPECT(fake::takeLog() == Log{});
    echort_copy_ran(Order, nullptr, 2);
    EXPECT(fake::takeLog() == idleLegacyWait());
    EXPECT(echort_release(ECHO_DEVICE, Block) == 1);
  });
}

TEST_CASE("a prefix waits, and fails where it passes the end of the device's") {
  FRESH({}, [] {
    void *Block = echort_acquire(&G, ECHO_DEVICE, 4096, nullptr, 0);
    EXPECT(Block && echort_acquire(&G, ECHO_HOST, 4096, Block, 0) == Block);
    auto Prefix = [&](size_t Bytes) {
      return echort_linking_part(&G, ECHO_COPY_D2H_SYNC, nullptr, Block, Block,
                                 Bytes, Block, Bytes, nullptr) -
             1;
    };
    fake::takeLog();
    for (size_t Bytes : {0, 1, 4096}) {
      EXPECT(Prefix(Bytes) == 0);
      EXPECT(fake::takeLog() == idleLegacyWait());
    }
    EXPECT(fake::lastError() == 0);
    EXPECT(Prefix(4097) == 1);
    Log Calls = idleLegacyWait();
    Calls.push_back("cudaMemcpy(4097)");
    EXPECT(fake::takeLog() == Calls);
    EXPECT(fake::lastError() == 1);
    // A part that ends at the end, and one that goes beyond.
    auto Part = [&](size_t Bytes, size_t End) {
      return echort_linking_part(&G, ECHO_COPY_D2H_SYNC, nullptr, Block, Block,
                                 Bytes, Block, End, nullptr) -
             1;
    };
    EXPECT(Part(1096, 4096) == 0);
    EXPECT(Part(1096, 4097) == 1);
    EXPECT(Part(1096, 95) == 1);
    EXPECT(Part(1096, ~size_t(0)) == 1);
  });
}
