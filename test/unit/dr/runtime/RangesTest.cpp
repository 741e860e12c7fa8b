//===- RangesTest.cpp - Memory in use, by address -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Ranges.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace echo::dr;

static const void *at(uintptr_t Address) {
  return reinterpret_cast<const void *>(Address);
}

static Range range(uintptr_t Base, uint64_t Bytes, uint64_t Site = 0) {
  Range R;
  R.Base = Base;
  R.Bytes = Bytes;
  R.Site = Site;
  return R;
}

TEST_CASE("a range is found by each address in it and by no other") {
  auto T = std::make_unique<RangeTable>();
  Range R;
  CHECK_FALSE(T->find(at(100), R));
  T->add(range(100, 50, 7));
  CHECK_FALSE(T->find(at(99), R));
  REQUIRE(T->find(at(100), R));
  CHECK(R.Site == 7);
  CHECK(T->find(at(149), R));
  CHECK_FALSE(T->find(at(150), R));
  CHECK(T->mayHold(at(100)));
}

TEST_CASE("only the start of a range takes it out") {
  auto T = std::make_unique<RangeTable>();
  T->add(range(4096, 100));
  Range R;
  CHECK_FALSE(T->remove(at(4100), R));
  CHECK(T->remove(at(4096), R));
  CHECK_FALSE(T->remove(at(4096), R));
  CHECK_FALSE(T->mayHold(at(4096)));
}

TEST_CASE("a new range drops those that it overlaps: they were freed unseen") {
  auto T = std::make_unique<RangeTable>();
  T->add(range(100, 100));
  T->add(range(300, 100));
  T->add(range(500, 100));
  T->add(range(150, 200));
  Range R;
  CHECK_FALSE(T->find(at(120), R));
  CHECK_FALSE(T->find(at(380), R));
  CHECK(T->find(at(180), R));
  CHECK(T->find(at(510), R));
}

TEST_CASE("parts that are unmapped end the ranges around them") {
  auto T = std::make_unique<RangeTable>();
  for (uintptr_t Base : {100, 200, 400}) {
    Range R = range(Base, 100);
    R.Kind = How::Mmap;
    T->add(R);
  }
  T->add(range(300, 100)); // malloc's, which will be freed
  Range R;
  CHECK_FALSE(T->removeMappings(at(500), 10));
  CHECK(T->removeMappings(at(199), 1));
  CHECK_FALSE(T->find(at(110), R));
  CHECK(T->find(at(200), R));
  CHECK_FALSE(T->removeMappings(at(310), 10));
  CHECK(T->removeMappings(at(250), 200));
  CHECK_FALSE(T->find(at(200), R));
  CHECK(T->find(at(300), R));
  CHECK_FALSE(T->find(at(400), R));
}

TEST_CASE("the table agrees with a map through thousands of changes") {
  auto T = std::make_unique<RangeTable>();
  std::map<uintptr_t, uint64_t> Model;
  std::mt19937 Random(1);
  for (int I = 0; I != 20000; ++I) {
    uintptr_t Slot = 1 + Random() % 2000, Base = Slot << 20;
    Range R;
    if (Random() % 3) {
      uint64_t Bytes = 1 + Random() % (1 << 20);
      T->add(range(Base, Bytes));
      Model[Base] = Bytes;
    } else {
      CHECK(T->remove(at(Base), R) == (Model.erase(Base) != 0));
    }
    uintptr_t Probe = (Slot << 20) + Random() % (1 << 20);
    auto It = Model.find(Slot << 20);
    bool In = It != Model.end() && Probe - It->first < It->second;
    CHECK(T->find(at(Probe), R) == In);
  }
}

TEST_CASE("a hundred thousand ranges, whatever the order they come and go in") {
  constexpr uintptr_t Count = 100000;
  const int Order = GENERATE(0, 1, 2);
  std::vector<uintptr_t> Slots;
  for (uintptr_t I = 1; I <= Count; ++I)
    Slots.push_back(I);
  if (Order == 1)
    std::reverse(Slots.begin(), Slots.end());
  if (Order == 2)
    std::shuffle(Slots.begin(), Slots.end(), std::mt19937(7));
  auto T = std::make_unique<RangeTable>();
  for (uintptr_t S : Slots)
    T->add(range(S << 12, 4096, S));
  Range R;
  uintptr_t Seen = 0, Wrong = 0;
  for (uintptr_t From = 0; T->next(From, R); From = R.Base + R.Bytes)
    Wrong += R.Site != ++Seen;
  CHECK(Seen == Count);
  // Every second one goes, then the others, from the end.
  for (uintptr_t S : Slots)
    if (S % 2)
      Wrong += !T->remove(at(S << 12), R) || R.Site != S;
  for (uintptr_t S = 1; S <= Count; ++S)
    Wrong += T->find(at((S << 12) + 5), R) == (S % 2 == 1);
  CHECK(T->next((3 << 12) + 1, R));
  CHECK(R.Site == 4);
  for (auto S = Slots.rbegin(); S != Slots.rend(); ++S)
    if (*S % 2 == 0)
      Wrong += !T->remove(at(*S << 12), R);
  CHECK(Wrong == 0);
  CHECK_FALSE(T->next(0, R));
  T->add(range(100, 50));
  CHECK(T->find(at(120), R));
  T->clear();
  CHECK_FALSE(T->find(at(120), R));
}

TEST_CASE("look-ups go on while another thread changes the table") {
  auto T = std::make_unique<RangeTable>();
  for (uintptr_t I = 1; I != 1000; ++I)
    T->add(range(I << 20, 1 << 19, I));
  std::atomic<bool> Stop{false};
  std::thread Changes([&] {
    std::mt19937 Random(3);
    Range R;
    while (!Stop) { // odd ones stay
      uintptr_t Slot = 2 * (1 + Random() % 499);
      if (!T->remove(at(Slot << 20), R))
        T->add(range(Slot << 20, 1 << 19, Slot));
    }
  });
  uintptr_t Wrong = 0;
  for (int I = 0; I != 200000; ++I) {
    Range R;
    uintptr_t Slot = 1 + 2 * (I % 499);
    Wrong += !T->find(at((Slot << 20) + 77), R) || R.Site != Slot;
  }
  Stop = true;
  Changes.join();
  CHECK(Wrong == 0);
}
