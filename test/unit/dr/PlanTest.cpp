//===- PlanTest.cpp - Plans survive writing, and nothing else does --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan that was written reads back equal; 1000 damaged texts are refused;
// damaged texts with a right checksum are refused or are plans again.
//
//===----------------------------------------------------------------------===//
#include "Profile/Plan.h"

#include <catch2/catch.hpp>

#include <random>

using namespace echo::drtool;

static Plan example() {
  Plan P;
  P.Echo = "0.1.0";
  P.Context.Command = {"/bin/app \"x\"", 0xdeadbeef};
  P.Context.Script = {"/home/app.py", 11};
  P.LoopSite = 6;
  P.CalibratedOn = "box";
  P.Context.Arguments = {"--size", "", "\xc3\xa9"};
  P.Context.Executable = {"/bin/python3", 7};
  P.Context.Interposer = ~uint64_t(0);
  P.Context.Folder = "/home";
  P.Context.Host = "box";
  P.Context.Machine = 5;
  P.Context.Uuid = "00000000-1111-2222-3333-444444444444";
  P.Context.Release = "550.54.15";
  P.Context.Files = {{"/home/in put", "argument", 7, 8},
                     {"/lib/a.so", "library", 0, 0}};
  P.Context.Variables = {{"A", 1}, {"B", 0}, {"\xff\x89(", 0}, {"bytes:41", 2}};
  P.Context.AllVariables = true;
  P.Context.Written = {"/home/out"};
  P.Context.Changed = {"/home/latest", "/home/out"};
  P.Context.Unseen = "more than is kept";
  P.Context.Device = "GPU";
  P.Context.Runtime = 13000;
  P.Context.Driver = 13000;
  P.Context.VisibleDevices = "0,1";
  P.Context.Processes = {{1, 2, 0, 4, 5, {{"RANK", 6}, {"B", 0}}, true},
                         {1, 2, ~uint64_t(0), 4, 5, {}, false}};
  P.Context.Modules = {1, 0x8000000000000000};
  P.Enabled = true;
  P.Why = "the loop takes 0.5 of its time";
  PlanPair A;
  A.Id = 1;
  A.HostSite = 0x1122334455667788;
  A.DeviceSite = 3;
  A.Bytes = A.DeviceBytes = 1 << 20;
  A.Open = {Choice::PinnedSplit, Choice::Mapped};
  A.Chosen = Choice::Mapped;
  A.Validated = true;
  A.Copies = {{5, true, Wait::None}, {6, false, Wait::Order}};
  A.Evidence = {{"copies", 100}, {"copy_ns", 1.5}};
  PlanPair B = A;
  B.Id = 2;
  B.DeviceSite = 0;
  B.DeviceBytes = 0;
  B.Open = {Choice::PinnedSplit};
  B.HostMayChange = true;
  B.Validated = false;
  B.Chosen = Choice::PinnedSplit;
  B.Disabled = "the host read it at app+0x10";
  P.Pairs = {A, B};
  return P;
}

/// The text with the checksum that belongs to it.
static std::string rechecked(std::string Text) {
  size_t Key = Text.rfind("\"checksum\"");
  if (Key == std::string::npos)
    return Text;
  Text.resize(Key);
  uint64_t Sum = echo::dr::fnv1a(Text.data(), Text.size());
  return Text + echo::drplan::ChecksumKey + hexText(Sum) +
         echo::drplan::ChecksumEnd;
}

static std::string replaced(std::string Text, const std::string &From,
                            const std::string &To) {
  size_t At = Text.find(From);
  REQUIRE(At != std::string::npos);
  return rechecked(Text.replace(At, From.size(), To));
}

static std::string whyNot(const std::string &Text) {
  std::string Why;
  CHECK_FALSE(parsePlan(Text, Why));
  return Why;
}

TEST_CASE("a plan reads back as it was written") {
  const Plan P = example();
  std::string Why;
  std::optional<Plan> Back = parsePlan(planText(P), Why);
  INFO(Why);
  REQUIRE(Back);
  CHECK(*Back == P);
  CHECK(planText(*Back) == planText(P));
}

TEST_CASE("a plan that ends anywhere before its end is refused") {
  const std::string Text = planText(example());
  std::string Why;
  for (size_t Size = 0; Size < Text.size(); ++Size)
    REQUIRE_FALSE(parsePlan(std::string_view(Text).substr(0, Size), Why));
}

TEST_CASE("1000 damaged plans are refused, and none crashes") {
  const std::string Text = planText(example());
  std::mt19937 Random(7);
  auto Below = [&](size_t N) { return size_t(Random() % N); };
  unsigned Accepted = 0;
  for (int I = 0; I < 1000; ++I) {
    std::string Bad = Text;
    for (size_t Edits = 1 + Below(3); Edits; --Edits) {
      size_t At = Below(Bad.size());
      switch (Below(4)) {
      case 0:
        Bad[At] = static_cast<char>(Bad[At] ^ (1 << Below(8)));
        break;
      case 1:
        Bad.erase(At, 1 + Below(40));
        break;
      case 2:
        Bad.insert(At, Bad, Below(Bad.size()), 1 + Below(40));
        break;
      default:
        Bad[At] = "{}[]\",:0-e\\"[Below(11)];
      }
    }
    std::string Why;
    if (Bad != Text)
      REQUIRE_FALSE(parsePlan(Bad, Why));
    // With a right checksum the text alone decides.
    std::optional<Plan> P = parsePlan(rechecked(Bad), Why);
    if (!P) {
      CHECK_FALSE(Why.empty());
      continue;
    }
    ++Accepted;
    CHECK(parsePlan(planText(*P), Why));
    for (const PlanPair &Pair : P->Pairs)
      if (echo::drplan::restsOnValidation(Pair.Chosen))
        CHECK((Pair.Validated && Pair.couldMerge()));
  }
  CHECK(Accepted < 900); // most damage shows without a checksum, too
}

TEST_CASE("uploads go on only where validation passed") {
  Plan P = example();
  PlanPair &Pair = P.Pairs[0];
  Pair.Chosen = Choice::PinnedQueued;
  std::string Why;
  REQUIRE((Pair.Validated && Pair.couldMerge()));
  CHECK(parsePlan(planText(P), Why));
  Pair.Validated = false;
  CHECK(whyNot(planText(P)) ==
        "pairs[0].choice lets uploads go on without validation");
  Pair.Validated = true;
  Pair.Open = {Choice::Mapped};
  CHECK(whyNot(planText(P)) == "pairs[0].choice is not open");
}

TEST_CASE("refusals name the place") {
  const std::string Text = planText(example());
  CHECK(whyNot("") == "its checksum is wrong: it is torn or was changed");
  CHECK(whyNot(Text + " ") ==
        "its checksum is wrong: it is torn or was changed");
  CHECK(whyNot(replaced(Text, "\"plan\": 3", "\"plan\": 2")) ==
        "it has the format of another version of Echo");
  CHECK(whyNot(replaced(Text, "\"enabled\": true", "\"enabled\": 1")) ==
        "enabled is neither true nor false");
  CHECK(whyNot(replaced(Text, "\"why\"", "\"wy\"")) == "why is missing");
  CHECK(whyNot(replaced(Text, "\"driver\": 13000",
                        "\"driver\": 13000, \"x\": 1")) ==
        "context.x is no key of a plan");
  CHECK(whyNot(replaced(Text, "\"bytes\": 1048576", "\"bytes\": -1")) ==
        "pairs[0].bytes is not a whole number");
  CHECK(whyNot(replaced(Text, "\"choice\": \"mapped\"",
                        "\"choice\": \"maped\"")) ==
        "pairs[0].choice is no word for a choice");
  CHECK(whyNot(replaced(Text, "\"pinned-split\"", "\"pinned\"")) ==
        "pairs[0].open holds what is no word for a choice");
  CHECK(whyNot(replaced(Text, "\"D2H\"", "\"D2D\"")) ==
        "pairs[0].copies[1].direction is no word for a direction");
}

TEST_CASE("a key that is not whole is no key") {
  const std::string Text = planText(example());
  CHECK(whyNot(replaced(Text, "\"size\": 7", "\"size\": -7")) ==
        "context.files[0].size is not a whole number");
  CHECK(whyNot(replaced(Text, "\"all_variables\": true,", "")) ==
        "context.all_variables is missing");
  CHECK(whyNot(replaced(Text, "\"name\": \"B\"", "\"nam\": \"B\"")) ==
        "context.variables[1].name is missing");
  for (const char *Bad : {"", "bytes:", "bytes:f", "bytes:0g"})
    CHECK(whyNot(replaced(Text, "\"name\": \"B\"",
                          "\"name\": \"" + std::string(Bad) + "\"")) ==
          "context.variables holds what is no name");
  Plan P = example();
  P.Context.Variables.resize(echo::drplan::MostVariables + 1, {"A", 1});
  CHECK(whyNot(planText(P)) == "context has too many files or variables");
}

TEST_CASE("what nobody validated is never one buffer") {
  Plan P = example();
  P.Pairs[0].Validated = false;
  CHECK(whyNot(planText(P)) ==
        "pairs[0].choice makes one buffer of two without validation");
  P = example();
  P.Pairs[0].DeviceBytes *= 2; // d is a part of something larger
  CHECK(whyNot(planText(P)) ==
        "pairs[0].open makes one buffer of two that differ");
  P = example();
  P.Pairs[0].Chosen = Choice::System;
  CHECK(whyNot(planText(P)) == "pairs[0].choice is not open");
  P = example();
  P.Pairs[1].Id = 1;
  CHECK(whyNot(planText(P)) == "pairs[1].id is zero or taken");
  P = example();
  P.Portable = true;
  CHECK(whyNot(planText(P)) == "context.host and portable do not fit");
}
