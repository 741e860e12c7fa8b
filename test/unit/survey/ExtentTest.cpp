//===- ExtentTest.cpp - Products of factors -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents are equal by their factors, whatever the order; parameters are
// replaced, alone and inside sums; what is not known equals nothing.
//
//===----------------------------------------------------------------------===//
#include "facts/Extent.h"
#include <catch2/catch.hpp>

using echo::survey::Extent;

TEST_CASE("the order of factors does not matter") {
  const Extent A = Extent::factor("n").times(Extent::factor("m"));
  const Extent B = Extent::factor("m").times(Extent::factor("n"));
  CHECK(A.equals(B));
  CHECK(A.times(Extent::constant(4)).text() == "4*m*n");
  CHECK_FALSE(A.equals(A.times(Extent::constant(4))));
}

TEST_CASE("unknown and overflowing extents equal nothing") {
  CHECK_FALSE(Extent::unknown().equals(Extent::unknown()));
  const Extent Large = Extent::constant(INT64_MAX);
  CHECK_FALSE(Large.times(Extent::constant(2)).Known);
  CHECK(Extent::unknown().text() == "?");
}

TEST_CASE("parameters are replaced") {
  const Extent Size =
      Extent::factor(Extent::parameter("f(1)#0")).times(Extent::constant(4));
  CHECK(Size.replaced({{"f(1)#0", Extent::constant(8)}})
            .equals(Extent::constant(32)));
  const Extent Sum =
      Extent::factor("(1 + " + Extent::parameter("f(1)#0") + ")");
  CHECK(Sum.replaced({{"f(1)#0", Extent::factor("n")}}).text() == "(1 + n)");
  CHECK(Size.replaced({{"g(1)#0", Extent::constant(8)}}).equals(Size));
}

TEST_CASE("a part has factors that the whole has, too") {
  const Extent N = Extent::factor("n"), M = Extent::factor("m");
  CHECK(N.isPartOf(N.times(M)));
  CHECK(Extent::constant(4).isPartOf(Extent::constant(8)));
  CHECK_FALSE(N.isPartOf(M));
  CHECK_FALSE(N.isPartOf(Extent::constant(4)));
  CHECK_FALSE(N.isPartOf(N));
}

TEST_CASE("people see names only") {
  const Extent Size =
      Extent::factor("dir/a.cu:3:7:n")
          .times(Extent::factor(Extent::parameter("f(2)a.cu#1")))
          .times(Extent::constant(4));
  CHECK(Size.shortText() == "4*n*f#1");
}
