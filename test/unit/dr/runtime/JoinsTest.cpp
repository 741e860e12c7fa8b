//===- JoinsTest.cpp - Which two buffers become one, thread by thread -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/validate/Joins.h"

#include <catch2/catch.hpp>

using namespace echo::dr;

namespace {
constexpr auto Host = Joins::Host, Device = Joins::Device;

/// Joins of one pair, whose buffers are numbers.
struct Known {
  Joins J;
  bool made(Joins::Side Which, uintptr_t Base, uint64_t Thread,
            bool Zeroed = false) {
    return J.allocated(0, Which, Base, Thread, Zeroed);
  }
  uintptr_t ofHost(uintptr_t Base) const { return J.otherSide(0, Host, Base); }
};
} // namespace

TEST_CASE("a thread's buffers are joined in the order that it makes them") {
  Known K;
  const bool Mixed = GENERATE(false, true);
  CHECK(K.made(Host, 1, 7));
  if (Mixed)
    CHECK(K.made(Host, 2, 8)); // another thread is in between
  CHECK(K.made(Device, 11, 7));
  if (!Mixed)
    CHECK(K.made(Host, 2, 8));
  CHECK(K.made(Device, 12, 8));
  CHECK(K.ofHost(1) == 11);
  CHECK(K.ofHost(2) == 12);
}

TEST_CASE("buffers of two threads are never joined") {
  Known K;
  CHECK(K.made(Host, 1, 7));
  CHECK(K.made(Device, 11, 8));
  CHECK(K.ofHost(1) == 0);
  // Nobody knows which thread it is.
  CHECK(K.made(Host, 2, 0));
  CHECK(K.made(Device, 12, 0));
  CHECK(K.ofHost(2) == 0);
}

TEST_CASE("what stays gets no other partner") {
  Known K;
  const bool Stays = GENERATE(false, true); // the host's side, or the device's
  const Joins::Side First = Stays ? Host : Device,
                    Other = Stays ? Device : Host;
  CHECK(K.made(First, 1, 7));
  CHECK(K.made(Other, 11, 7));
  K.J.freed(Other, 11, 7);
  CHECK(K.made(Other, 12, 7));
  CHECK(K.J.otherSide(0, First, 1) == 0);
  CHECK(K.made(First, 2, 7)); // the new one waits for it
  CHECK(K.J.otherSide(0, First, 2) == 12);
  CHECK(K.J.isCertain(0));
}

TEST_CASE("which side comes second is kept") {
  Known K;
  CHECK(K.J.seen(0) == 0);
  CHECK(K.made(Host, 1, 7));
  CHECK(K.J.seen(0) == 0);
  CHECK(K.made(Device, 11, 7));
  CHECK(K.J.seen(0) == echo::drplan::joinBit(true));
  CHECK(K.made(Device, 12, 7));
  CHECK(K.made(Host, 2, 7));
  CHECK(K.J.seen(0) ==
        (echo::drplan::joinBit(true) | echo::drplan::joinBit(false)));
}

TEST_CASE("a thread that makes two of one side joins nothing any more") {
  Known K;
  const bool Zeroed = GENERATE(false, true);
  CHECK(K.made(Zeroed ? Device : Host, 1, 7));
  CHECK(K.made(Host, 2, 7, Zeroed));
  CHECK(K.made(Device, 11, 7));
  CHECK(K.ofHost(2) == 0);
  CHECK(K.made(Host, 3, 8)); // another one does
  CHECK(K.made(Device, 12, 8));
  CHECK(K.ofHost(3) == 12);
}

TEST_CASE("what waits is freed by another thread") {
  Known K;
  const bool Again = GENERATE(false, true), Both = GENERATE(false, true);
  CHECK(K.made(Host, 1, 7));
  if (Both)
    CHECK(K.made(Device, 11, 7));
  K.J.freed(Host, 1, 8);
  // Whether what is made next joins what waited is chance.
  if (Again)
    CHECK(K.made(Host, 2, 7) == Both);
  CHECK(K.J.isCertain(0) == (Both || !Again));
}
