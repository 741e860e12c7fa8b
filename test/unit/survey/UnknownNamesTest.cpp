//===- UnknownNamesTest.cpp - Types and variables by their place ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a name that nothing declares is, from the text before and after it.
//
//===----------------------------------------------------------------------===//
#include "facts/UnknownNames.h"
#include <catch2/catch.hpp>

using namespace echo::survey;

static NameGuess inBody(const char *Before, const char *After) {
  return guessName(Before, After, true);
}

TEST_CASE("types") {
  CHECK(inBody("{ ", " *p = q;") == NameGuess::Type);
  CHECK(inBody("; const ", " &p = q;") == NameGuess::Type);
  CHECK(inBody("p = (", " *)malloc(n)") == NameGuess::Type);
  CHECK(inBody("n * sizeof(", ")") == NameGuess::Type);
  CHECK(inBody("p = new ", "[n]") == NameGuess::Type);
  CHECK(inBody("std::vector<", "> v;") == NameGuess::Type);
  CHECK(inBody("; ", " x;") == NameGuess::Type);
  CHECK(inBody("p = (", ")q") == NameGuess::Type);
  CHECK(guessName("void f(", " *p)", false) == NameGuess::Type);
}

TEST_CASE("variables") {
  CHECK(inBody("x = ", " * y;") == NameGuess::Variable);
  CHECK(inBody("f(", " * y)") == NameGuess::Variable);
  CHECK(inBody("f(", ")") == NameGuess::Variable);
  CHECK(inBody("x < ", ")") == NameGuess::Variable);
  CHECK(inBody("; ", ".check(1)") == NameGuess::Variable);
  CHECK(inBody("; ", "[2] = 1") == NameGuess::Variable);
}

TEST_CASE("names of which nothing can be declared") {
  CHECK(inBody("; ", "(1)") == NameGuess::Nothing);
  CHECK(inBody("; ", "::name x") == NameGuess::Nothing);
  CHECK(inBody("x.", ";") == NameGuess::Nothing);
}
