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

TEST_CASE("what stays takes its thread's next buffer") {
  Known K;
  CHECK(K.made(Host, 1, 7));
  CHECK(K.made(Device, 11, 7));
  K.J.freed(Device, 11, 7);
  CHECK(K.made(Host, 2, 8));
  CHECK(K.made(Device, 12, 7));
  CHECK(K.ofHost(1) == 12);
  CHECK(K.ofHost(2) == 0);
  CHECK(K.J.isCertain(0));
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

TEST_CASE("one side is freed by another thread") {
  Known K;
  const bool Again = GENERATE(false, true), First = GENERATE(false, true);
  CHECK(K.made(Host, 1, 7));
  CHECK(K.made(Device, 11, 7));
  if (Again && First)
    CHECK(K.made(Host, 2, 7));
  K.J.freed(Host, 1, 8);
  // Whether what is made next joins what stays is chance.
  if (Again && !First)
    CHECK_FALSE(K.made(Host, 2, 7));
  CHECK(K.J.isCertain(0) == !Again);
}
