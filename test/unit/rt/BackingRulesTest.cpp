//===- BackingRulesTest.cpp - What ECHO_BACKING asks for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values are understood, and which pairs a place names.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/BackingRules.h"
#include "FakeCuda.h"
#include "Fresh.h"

#include <catch2/catch.hpp>

using namespace echo::rt;

static const char *const Group = "src/app.cu:12:20 h + src/app.cu:14:3 d";

static std::string wish(const char *Value, const char *Name = Group) {
  BackingRules Rules;
  const char *Bad = parseBackings(Value, Rules);
  if (Bad)
    return std::string("bad: ") + Bad;
  Wish W = wishFor(Rules, Name);
  return W.Auto ? "auto" : backingName(W.Forced);
}

TEST_CASE("one backing for all pairs") {
  CHECK(wish("") == "auto");
  for (const char *Kind :
       {"auto", "split", "pinned-split", "system", "managed", "mapped"})
    CHECK(wish(Kind) == Kind);
}

TEST_CASE("a place names a pair by either side") {
  for (const char *Place : {"app.cu", "src/app.cu", "app.cu:12", "app.cu:14",
                            "src/app.cu:12:20", "app.cu:14:3"})
    CHECK(wish((std::string(Place) + "=mapped").c_str()) == "mapped");
  for (const char *Place :
       {"p.cu", "app", "app.cu:1", "app.cu:2", "app.cu:12:2", "app.cu:12:20:1",
        "lib/app.cu", "app.cu:12:3", "h"})
    CHECK(wish((std::string(Place) + "=mapped").c_str()) == "auto");
  CHECK(wish("app.cu=mapped", nullptr) == "auto");
  CHECK(wish("app.cu:3=split", "app.cu:3:1 + app.cu:4:1") == "split");
}

TEST_CASE("the rest has the default, the last rule wins") {
  CHECK(wish("split,app.cu:12=mapped") == "mapped");
  CHECK(wish("split,app.cu:13=mapped") == "split");
  CHECK(wish("app.cu:12=auto,managed") == "auto");
  CHECK(wish("app.cu=managed,app.cu:12=system") == "system");
  CHECK(wish("app.cu:12=system,app.cu=managed") == "managed");
}

TEST_CASE("what is not understood") {
  CHECK(wish("mapedd") == "bad: mapedd");
  CHECK(wish("app.cu:12=x,auto") == "bad: app.cu:12=x,auto");
  CHECK(wish("auto,app.cu:12=") == "bad: app.cu:12=");
  CHECK(wish("=mapped") == "bad: =mapped");
  CHECK(wish("split,mapped") == "bad: mapped");
  CHECK(wish(",") == "bad: ,");
  std::string Many;
  for (int I = 0; I != 33; ++I)
    Many += "a.cu:" + std::to_string(I) + "=split,";
  CHECK(wish(Many.c_str()).find("bad: a.cu:32") == 0);
}

TEST_CASE("a pair of its own backing") {
  FRESH({{"ECHO_BACKING", "split,b.cu:7=managed"}}, [] {
    EchoGroup A = makeGroup(), B = makeGroup("b.cu:7:1 h + b.cu:8:1 d");
    EXPECT(!echort_acquire(&A, ECHO_HOST, 1 << 20, nullptr, 0));
    EXPECT(fake::calls() == 0);
    void *H = echort_acquire(&B, ECHO_HOST, 1 << 20, nullptr, 0);
    EXPECT(H && fake::liveAllocations() == 1);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
  });
}
