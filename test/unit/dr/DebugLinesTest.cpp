//===- DebugLinesTest.cpp - Source places of code addresses ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What addr2line prints, whole, damaged and of code without debug lines.
//
//===----------------------------------------------------------------------===//
#include "Profile/DebugLines.h"

#include <catch2/catch.hpp>

using namespace echo::drtool;

static std::string placesText(const std::vector<SourcePlace> &Places) {
  std::string Out;
  for (const SourcePlace &P : Places)
    Out += P.File + ":" + std::to_string(P.Line) + " " + P.Function + "; ";
  return Out;
}

TEST_CASE("functions that were inlined have their callers") {
  const auto Places =
      readPlaces("0x0000000000005970\n_Z2upPfS_m\n/src/up.h:5\nmain\n"
                 "/src/app.cu:12 (discriminator 2)\n"
                 "0x0000000000005980\n_Z4sendIfEvPT_\n/src/app.cu:30\n",
                 2);
  REQUIRE(Places.size() == 2);
  CHECK(placesText(Places[0]) == "/src/up.h:5 up; /src/app.cu:12 main; ");
  CHECK(placesText(Places[1]) == "/src/app.cu:30 send<float>; ");
  CHECK(lineText(Places[0]) == "up.h:5");
  CHECK(lineText({}).empty());
}

TEST_CASE("places end before the first that is not known") {
  for (const char *Unknown : {"??:?", "??:0", "/src/app.cu:?", "/src/app.cu:0",
                              "app.cu", "/src/app.cu:", "/src/app.cu:1x"}) {
    INFO(Unknown);
    const auto Places = readPlaces("0x10\nf\n" + std::string(Unknown) +
                                       "\ng\n/src/app.cu:7\n0x20\nh\n"
                                       "/src/app.cu:8\n??\n" +
                                       Unknown + "\n",
                                   2);
    CHECK(Places[0].empty());
    CHECK(placesText(Places[1]) == "/src/app.cu:8 h; ");
  }
}

TEST_CASE("text that ends early gives what it has") {
  CHECK(readPlaces("", 2).size() == 2);
  CHECK(readPlaces("nonsense\nmore\n", 1)[0].empty());
  CHECK(readPlaces("0x10\nf\n", 1)[0].empty());
  CHECK(placesText(readPlaces("0x10\n??\n/src/app.cu:7", 1)[0]) ==
        "/src/app.cu:7 ; ");
  CHECK(lineAt("/nowhere/at/all", 16).empty());
}
