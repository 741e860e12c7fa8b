//===- ClocksTest.cpp - Which waits end which work ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Clocks.h"

#include <catch2/catch.hpp>
#include <memory>

using namespace echo::dr;

namespace {

struct Device {
  std::unique_ptr<Clocks> C = std::make_unique<Clocks>();
  Clocks::Covered Covered;
  bool afterStream(uint64_t S) {
    C->coverStream(S, Covered);
    C->ended(Covered);
    return C->quiescent();
  }
  bool afterEvent(uint64_t E) {
    C->coverEvent(E, Covered);
    C->ended(Covered);
    return C->quiescent();
  }
  bool afterDevice() {
    C->coverDevice(Covered);
    C->ended(Covered);
    return C->quiescent();
  }
};

constexpr uint64_t A = 0x100, B = 0x200, N = 0x300, E = 0x1;

} // namespace

TEST_CASE("a wait for a stream ends its work alone") {
  Device D;
  CHECK(D.C->quiescent());
  D.C->create(A, false);
  D.C->create(B, false);
  D.C->work(A);
  CHECK_FALSE(D.C->quiescent());
  CHECK(D.afterStream(A));
  D.C->work(A);
  D.C->work(B);
  CHECK_FALSE(D.afterStream(A));
  CHECK(D.afterStream(B));
  D.C->work(N);
  D.C->work(B);
  CHECK(D.afterDevice());
}

TEST_CASE("work of the legacy stream follows blocking streams") {
  Device D;
  D.C->create(A, false);
  D.C->create(N, true);
  D.C->work(A);
  // Its twin: nothing of the legacy stream's is behind the work.
  CHECK_FALSE(D.afterStream(0));
  D.C->work(0);
  CHECK(D.afterStream(0));
  D.C->work(N);
  D.C->work(0);
  CHECK_FALSE(D.afterStream(1));
  CHECK(D.afterStream(N));
}

TEST_CASE("what no copy in the legacy stream waits for") {
  Device D;
  uint64_t Found[Clocks::MaxStreams];
  D.C->create(A, false);
  D.C->create(N, true);
  D.C->work(A);
  D.C->work(0);
  CHECK(D.C->beside(Found) == 0);
  D.C->work(N);
  REQUIRE(D.C->beside(Found) == 1);
  CHECK(Found[0] == N);
  D.C->destroy(N); // it runs on, and has no handle
  CHECK(D.C->beside(Found) == -1);
  CHECK(D.afterDevice());
  CHECK(D.C->beside(Found) == 0);
}

TEST_CASE("work of a blocking stream follows the legacy stream") {
  Device D;
  D.C->create(A, false);
  D.C->create(N, true);
  D.C->work(0);
  D.C->work(A);
  CHECK(D.afterStream(A));
  D.C->work(0);
  D.C->work(N);
  CHECK_FALSE(D.afterStream(N));
}

TEST_CASE("work that uses nothing that counts need not end") {
  Device D;
  D.C->create(A, false);
  D.C->create(N, true);
  D.C->pass(N);
  CHECK(D.C->quiescent());
  // It has its place in the order: a wait for it covers what it waits for.
  D.C->work(A);
  D.C->pass(0);
  CHECK(D.afterStream(0));
  D.C->work(A);
  D.C->pass(N); // its twin: a non-blocking stream waits for nothing
  CHECK_FALSE(D.afterStream(N));
}

TEST_CASE("a stream whose creation was not seen is taken for non-blocking") {
  Device D;
  D.C->work(A);
  D.C->work(0);
  CHECK_FALSE(D.afterStream(0));
}

TEST_CASE("an event stands for the work before it") {
  Device D;
  D.C->create(A, true);
  D.C->create(B, true);
  D.C->work(A);
  D.C->record(E, A);
  CHECK(D.afterEvent(E));
  D.C->work(A);
  CHECK_FALSE(D.afterEvent(E));
  D.C->record(E, A);
  D.C->wait(B, E);
  D.C->work(B);
  CHECK(D.afterStream(B));
  CHECK_FALSE((D.C->work(A), D.afterStream(B)));
}

TEST_CASE("an event that was not recorded ends nothing") {
  Device D;
  D.C->work(A);
  CHECK_FALSE(D.afterEvent(E));
  D.C->record(E, B);
  CHECK_FALSE(D.afterEvent(E));
}

TEST_CASE("work that began while a wait lasted is not ended by it") {
  Device D;
  D.C->work(A);
  D.C->coverStream(A, D.Covered);
  D.C->work(A);
  D.C->ended(D.Covered);
  CHECK_FALSE(D.C->quiescent());
}

TEST_CASE("a new event of an old handle has nothing before it") {
  Device D;
  D.C->create(A, true);
  D.C->work(A);
  D.C->record(E, A);
  D.C->forget(E);
  CHECK_FALSE(D.afterEvent(E));
  D.C->wait(B, E);
  CHECK_FALSE(D.afterStream(B));
  D.C->record(E, A);
  CHECK(D.afterEvent(E));
}

TEST_CASE("events that are recorded and destroyed crowd nobody out") {
  Device D;
  D.C->work(A);
  D.C->record(E, A);
  for (uint64_t I = 0; I != 2 * Clocks::MaxEvents; ++I) {
    D.C->record(0x5000 + I, A);
    D.C->forget(0x5000 + I);
  }
  CHECK(D.afterEvent(E));
}

TEST_CASE("a new stream of an old handle has none of its work") {
  for (const bool Seen : {true, false}) { // that the old one was destroyed
    Device D;
    D.C->create(A, false);
    D.C->work(A);
    if (Seen)
      D.C->destroy(A);
    D.C->create(A, true);
    CHECK_FALSE(D.afterStream(A));
    D.C->work(A);
    CHECK_FALSE(D.afterStream(A));
    D.C->work(0); // behind the old one, which was a blocking stream
    CHECK(D.afterStream(0));
  }
}

TEST_CASE("streams that come and go leave room") {
  Device D;
  for (uint64_t I = 0; I != 4 * Clocks::MaxStreams; ++I) {
    D.C->create(0x1000 + I * 16, true);
    D.C->work(0x1000 + I * 16);
    CHECK(D.afterStream(0x1000 + I * 16));
    D.C->destroy(0x1000 + I * 16);
  }
}

TEST_CASE("streams beyond the room end with the device") {
  Device D;
  for (uint64_t I = 0; I != 2 * Clocks::MaxStreams; ++I)
    D.C->work(0x1000 + I * 16);
  for (uint64_t I = 0; I != 2 * Clocks::MaxStreams; ++I)
    CHECK_FALSE(D.afterStream(0x1000 + I * 16));
  CHECK(D.afterDevice());
  D.C->work(A);
  CHECK(D.afterStream(A));
}

TEST_CASE("events beyond the room are forgotten") {
  Device D;
  D.C->work(A);
  for (uint64_t I = 0; I != Clocks::MaxEvents + 1; ++I)
    D.C->record(0x5000 + I, A);
  CHECK_FALSE(D.afterEvent(0x5000));
  CHECK(D.afterEvent(0x5001));
}
