//===- OriginsTest.cpp - Buffers through calls ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of parameters is one of what its callers pass; a function that
// allocates for its callers is the origin of their buffers; calls in a circle
// end.
//
//===----------------------------------------------------------------------===//
#include "facts/Origins.h"
#include <catch2/catch.hpp>

using namespace echo::survey;

static Call callOf(const char *Callee, const char *Caller, const char *Buffer,
                   bool ByAddress, unsigned Line) {
  Call C;
  C.Callee = Callee;
  C.Caller = Caller;
  C.At = {"a.cu", Line, 1};
  C.Arguments.push_back({{Buffer, false}, ByAddress, Extent::unknown()});
  return C;
}

TEST_CASE("an allocation in a helper is that of its callers") {
  FileFacts F;
  Allocation A;
  A.Key = "make(1)#0*";
  A.Memory = Idiom::Device;
  F.Allocations.push_back(A);
  F.Calls.push_back(callOf("make(1)", "main(0)", "d", true, 1));
  const Origins From({F});
  REQUIRE(From.of("d").size() == 1);
  CHECK(From.of("d")[0].Memory == Idiom::Device);
  CHECK(From.of("e").empty());
}

TEST_CASE("a copy of parameters is seen from each caller") {
  FileFacts F;
  F.Calls.push_back(callOf("up(1)", "main(0)", "x", false, 1));
  F.Calls.push_back(callOf("up(1)", "main(0)", "y", false, 2));
  Copy C;
  C.To.Key = "d";
  C.From.Key = "up(1)#0";
  C.Function = "up(1)";
  const Origins From({F});
  const auto All = From.instancesOf(C);
  REQUIRE(All.size() == 2);
  CHECK(All[0].From == "x");
  CHECK(All[1].From == "y");
  CHECK(From.rootOf("up(1)#0") == "up(1)#0"); // two callers
}

TEST_CASE("calls in a circle end") {
  FileFacts F;
  F.Calls.push_back(callOf("a(1)", "b(1)", "b(1)#0", false, 1));
  F.Calls.push_back(callOf("b(1)", "a(1)", "a(1)#0", false, 2));
  const Origins From({F});
  CHECK(From.of("a(1)#0").empty());
  Copy C;
  C.To.Key = "a(1)#0";
  C.Function = "a(1)";
  CHECK(From.instancesOf(C).size() == 1);
}
