//===- AssumedPairsTest.cpp - Lines of --assume ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is read as a pair, which pairs it is, and what is no line.
//
//===----------------------------------------------------------------------===//
#include "Support/AssumedPairs.h"
#include <catch2/catch.hpp>

using namespace echo;

static PairReport pair(std::optional<std::string> Host = "h",
                       std::optional<std::string> Device = "d") {
  PairReport P;
  P.Host = {std::move(Host), {{"src/app.cu", 40, 14}, {}}, "f"};
  P.Device = {std::move(Device), {{"src/app.cu", 41, 3}, {}}, "f"};
  return P;
}

/// True if \p Text lists \p P.
static bool lists(const char *Text, const PairReport &P = pair()) {
  AssumedPairs Pairs;
  llvm::Error E = Pairs.addText(Text, "list");
  REQUIRE(!E);
  return Pairs.contains(P);
}

static std::string errorOf(const char *Text) {
  return toString(AssumedPairs().addText(Text, "list"));
}

TEST_CASE("lines of reports") {
  CHECK(lists("src/app.cu:40:14 h + src/app.cu:41:3 d"));
  CHECK(lists("src/app.cu:40:14 h  + src/app.cu:41:3 d    8.00 MiB   declined "
              "  S2 host-write-in-flight"));
  CHECK(lists("src/app.cu:40:14 h + src/app.cu:41:3 d   declined "
              "(device-write-live-host)   safe in this run: 1 block\n"));
  CHECK(lists("./src/app.cu:40:14 h + ./src/app.cu:41:3 d\r\n"));
  CHECK(!lists("src/app.cu:40:15 h + src/app.cu:41:3 d"));
  CHECK(!lists("src/app.cu:40:14 h + src/app.cu:42:3 d"));
  CHECK(lists("app.cu:40:14 h + app.cu:41:3 d"));
  CHECK(!lists("p.cu:40:14 h + p.cu:41:3 d"));
  CHECK(!lists("/home/src/app.cu:40:14 h + /home/src/app.cu:41:3 d"));
}

TEST_CASE("names hold where both are there") {
  CHECK(!lists("src/app.cu:40:14 x + src/app.cu:41:3 d"));
  CHECK(!lists("src/app.cu:40:14 h + src/app.cu:41:3 x"));
  CHECK(lists("src/app.cu:40:14 + src/app.cu:41:3"));
  CHECK(lists("src/app.cu:40:14 + src/app.cu:41:3   bytes B   declined"));
  CHECK(lists("src/app.cu:40:14 + src/app.cu:41:3 checked by hand"));
  CHECK(lists("src/app.cu:40:14 h + src/app.cu:41:3   bytes B   declined"));
  CHECK(lists("src/app.cu:40:14 x + src/app.cu:41:3 y",
              pair(std::nullopt, std::nullopt)));
}

TEST_CASE("comments and empty lines") {
  CHECK(lists("# all\n\n  \nsrc/app.cu:40:14 h + src/app.cu:41:3 d # why\n"));
  CHECK(!lists("# src/app.cu:40:14 h + src/app.cu:41:3 d\n"));
  PairReport P = pair();
  P.Host.Loc.File = P.Device.Loc.File = "a#b c:1.cu";
  CHECK(lists("a#b c:1.cu:40:14 h + a#b c:1.cu:41:3 d", P));
}

TEST_CASE("a pair of helpers is at the place of its own function") {
  PairReport P = pair();
  P.Host.Loc.Callers = {{{"src/app.cu", 60, 3}, "init"}};
  CHECK(lists("src/app.cu:60:3 h + src/app.cu:41:3 d", P));
  CHECK(!lists("src/app.cu:40:14 h + src/app.cu:41:3 d", P));
}

TEST_CASE("what is no line") {
  const std::string Expected =
      ": expected a pair as reports print it, as in 'app.cu:40:14 h + "
      "app.cu:41:3 d'";
  CHECK(errorOf("app.cu:40 h + app.cu:41:3 d") == "list:1" + Expected);
  CHECK(errorOf("\n# x\napp.cu:40:14 h app.cu:41:3 d") == "list:3" + Expected);
  CHECK(errorOf("app.cu:40:14 h + d") == "list:1" + Expected);
  CHECK(errorOf("app.cu:40:14 h of f + app.cu:41:3 d") == "list:1" + Expected);
  CHECK(errorOf(":40:14 h + app.cu:41:3 d") == "list:1" + Expected);
  CHECK(errorOf("app.cu:0:14 h + app.cu:41:3 d") == "list:1" + Expected);
  CHECK(errorOf("app.cu:40:14x h + app.cu:41:3 d") == "list:1" + Expected);
  CHECK(errorOf("    51:9   host writes h") == "list:1" + Expected);
}

TEST_CASE("which lines were found") {
  AssumedPairs Pairs;
  REQUIRE(!Pairs.addText("src/app.cu:40:14 x + src/app.cu:41:3 d\n"
                         "src/app.cu:40:14 h + src/app.cu:41:3 d\n",
                         "list"));
  CHECK(Pairs.contains(pair()));
  CHECK(!Pairs.all()[0].Found);
  CHECK(Pairs.all()[0].isAt(pair()));
  CHECK(Pairs.all()[1].Found);
  CHECK(Pairs.all()[1].From == "list:2");
}

TEST_CASE("scopes of the source") {
  AssumedScope Scope;
  Scope.Place = {"src/app.cu", 42, 3};
  Scope.FirstLine = 39;
  Scope.LastLine = 50;
  Scope.HostName = "h";
  Scope.DeviceName = "d";
  AssumedPairs Pairs;
  REQUIRE(!Pairs.addScope(toText(Scope)));
  CHECK(Pairs.scopes()[0].Place == Scope.Place);
  CHECK(Pairs.contains(pair()));
  CHECK(Pairs.scopes()[0].Found);
  CHECK(!Pairs.contains(pair("h", "x")));
  CHECK(!Pairs.contains(pair("h", std::nullopt)));
  CHECK(!Pairs.contains(pair(std::nullopt, "d")));
  PairReport Before = pair(), After = pair(), Elsewhere = pair();
  Before.Host.Loc.Line = 38;
  After.Device.Loc.Line = 51;
  Elsewhere.Host.Loc.File = "src/other.cu";
  for (const PairReport *P : {&Before, &After, &Elsewhere})
    CHECK(!Pairs.contains(*P));
  PairReport Full = pair();
  Full.Host.Loc.File = Full.Device.Loc.File = "/home/src/app.cu";
  CHECK(Pairs.contains(Full));
  CHECK(toString(Pairs.addScope("1,2,x")) == "'1,2,x' is no scope");
}

TEST_CASE("which reasons a word overrules") {
  CHECK(mayBeOverruled(Blocker::HostWriteLive));
  CHECK(mayBeOverruled(Blocker::CopyInFlight));
  CHECK(mayBeOverruled(Blocker::UnknownKernel));
  CHECK(mayBeOverruled(Blocker::KernelAggregate));
  for (const BlockerInfo *B : allBlockers()) {
    const llvm::StringRef Condition = B->Condition;
    const bool Contents = Condition == "S1" || Condition == "S2";
    const bool Kernels = B->Kind == Blocker::UnknownKernel ||
                         B->Kind == Blocker::KernelAggregate;
    CHECK(mayBeOverruled(B->Kind) == (Contents || Kernels));
  }
}
