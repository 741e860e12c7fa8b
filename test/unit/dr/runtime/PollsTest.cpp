//===- PollsTest.cpp - Names that are asked of again and again ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/interposers/Polls.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace echo::dr;

/// A name that no other test asks of; the process is as if it had begun.
static uint64_t fresh() {
  static uint64_t Last = 0;
  pollsForked();
  return Last += 1000;
}

/// Whether the name is polled after \p Count questions, each after work.
static bool polledAfter(uint64_t Key, unsigned Count) {
  bool Is = false;
  for (unsigned I = 0; I != Count; ++I) {
    noteGpuWork();
    Is |= askedOf(Key) == Poll::Polled;
  }
  return Is;
}

TEST_CASE("a name is polled at its third question while the GPU is used") {
  const uint64_t Key = fresh();
  CHECK_FALSE(polledAfter(Key, 2));
  CHECK(polledAfter(Key, 1));
  CHECK_FALSE(polledAfter(Key, 5)); // it is said once
}

TEST_CASE("what is asked before the GPU is used counts for nothing") {
  const uint64_t Key = fresh();
  for (unsigned I = 0; I != 100; ++I)
    CHECK(askedOf(Key) == Poll::Once);
  CHECK_FALSE(polledAfter(Key, 2));
}

TEST_CASE("other names each time are not polled") {
  const uint64_t Key = fresh();
  for (unsigned I = 0; I != 200; ++I)
    CHECK_FALSE(polledAfter(Key + I, 2));
}

TEST_CASE("questions at one time are one, and many of them are a wait") {
  const uint64_t Key = fresh();
  for (unsigned Round = 0; Round != 2; ++Round) {
    noteGpuWork();
    for (unsigned I = 0; I + 1 != PolledAtOnce; ++I)
      CHECK(askedOf(Key) == Poll::Once);
  }
  CHECK(askedOf(Key) == Poll::Polled);
}

TEST_CASE("what the process made is its own until it is gone") {
  const uint64_t Key = fresh();
  nameMade(Key);
  CHECK(isOwnName(Key));
  CHECK_FALSE(polledAfter(Key, 10));
  nameGone(Key);
  CHECK_FALSE(isOwnName(Key));
  CHECK(polledAfter(Key, 3));
  CHECK_FALSE(isOwnName(Key + 1));
  nameGone(Key + 1); // of a name that is not known
  CHECK(polledAfter(Key + 1, 3));
}

TEST_CASE("a child has used no GPU, and its parent's files are others'") {
  const uint64_t Key = fresh();
  nameMade(Key);
  CHECK_FALSE(polledAfter(Key + 1, 2));
  pollsForked();
  CHECK_FALSE(isOwnName(Key));
  CHECK(askedOf(Key) == Poll::Once);
  CHECK_FALSE(polledAfter(Key + 1, 2));
  CHECK(polledAfter(Key, 3));
}

TEST_CASE("of several threads one says that a name is polled") {
  for (unsigned Try = 0; Try != 50; ++Try) {
    const uint64_t Key = fresh();
    std::atomic<unsigned> Polled{0};
    std::vector<std::thread> All;
    for (unsigned I = 0; I != 4; ++I)
      All.emplace_back([&] {
        for (unsigned Round = 0; Round != 20; ++Round) {
          noteGpuWork();
          Polled += askedOf(Key) == Poll::Polled;
        }
      });
    for (std::thread &T : All)
      T.join();
    CHECK(Polled == 1);
  }
}

// The last one: nothing leaves the table.
TEST_CASE("a name that has no room is not taken for one that is asked once") {
  const uint64_t Key = fresh();
  noteGpuWork();
  bool Full = false;
  for (uint64_t I = 0; I != 40000 && !Full; ++I)
    Full = askedOf(Key + 3000000 + I) == Poll::NoRoom;
  CHECK(Full);
}
