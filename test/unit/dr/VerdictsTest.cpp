//===- VerdictsTest.cpp - Who passes validation --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair passes by rounds that were watched in full; each twin lacks one thing.
//
//===----------------------------------------------------------------------===//
#include "TraceText.h"

#include "Profile/Verdicts.h"

#include <catch2/catch.hpp>

#include <functional>

using namespace echo::drtool;
using namespace echo::dr;

static Plan plan() {
  Plan P;
  P.Context.Executable = {"/bin/app", 0xe};
  for (uint64_t Id : {1, 2, 3}) {
    PlanPair Pair;
    Pair.Id = Id;
    Pair.HostSite = Id;
    Pair.DeviceSite = Id;
    Pair.Bytes = Pair.DeviceBytes = 1 << 20;
    Pair.Open = {Choice::PinnedSplit};
    if (Id != 3)
      Pair.Open.push_back(Choice::Mapped);
    P.Pairs.push_back(Pair);
  }
  return P;
}

static TraceText rounds(uint64_t First, uint64_t Second) {
  TraceText T;
  T.add(Record::Rounds, {.A = 1, .B = 1});
  T.add(Record::Rounds, {.A = First, .B = 1});
  T.add(Record::Rounds, {.A = Second, .B = 2});
  return T;
}

static Plan judged(const std::vector<Trace> &Traces) {
  Plan P = plan();
  takeVerdicts(P, Traces);
  return P;
}

TEST_CASE("the plan holds for the libraries that validation saw") {
  TraceText Other = rounds(10, 20), None;
  Other.add(Record::Module, {.A = 0x77});
  None.add(Record::Module, {.A = 0x66});
  Other.add(Record::Module, {.A = 0x66});
  const Plan P = judged({Other.trace(), None.trace()});
  CHECK(P.Context.Modules == std::vector<uint64_t>{0x66, 0x77});
}

TEST_CASE("pairs with rounds and no trap pass") {
  const Plan P = judged({rounds(10, 20).trace()});
  CHECK(P.Pairs[0].Validated);
  CHECK(P.Pairs[1].Validated);
  CHECK_FALSE(P.Pairs[2].Validated); // not open: nothing to validate
  CHECK_FALSE(P.Pairs[2].Rejected);
  CHECK(P.Pairs[0].Evidence.at("validated_rounds") == 10);
  CHECK(planToValidate(P).Pairs.size() == 2);
}

TEST_CASE("a trap in any process rejects") {
  TraceText Child = rounds(10, 20);
  Child.header().Pid = 43;
  Child.add(Record::Trap,
            {.Flags = uint8_t(Trap::HostAccess), .Site = 7, .B = 2});
  const Plan P = judged({rounds(10, 20).trace(), Child.trace()});
  CHECK(P.Pairs[0].Validated);
  CHECK_FALSE(P.Pairs[1].Validated);
  CHECK(P.Pairs[1].Rejected == "the host used the buffer while the GPU could");
  TraceText Out = rounds(10, 20);
  Out.add(Record::Trap, {.Flags = uint8_t(Trap::DroppedOut),
                         .B = 1,
                         .Stream = uint64_t(Reason::Ipc)});
  CHECK(judged({Out.trace()}).Pairs[0].Rejected ==
        "the buffer dropped out: shared with another process");
}

TEST_CASE("what was not watched does not pass") {
  CHECK(judged({rounds(1, 2).trace()}).Pairs[0].Rejected ==
        "only 1 windows of GPU work were watched");
  CHECK(judged({rounds(1, 2).trace()}).Pairs[1].Validated);
  CHECK(judged({}).Pairs[0].Rejected == "validation left no trace");
  TraceText Lossy = rounds(10, 20);
  Lossy.header().Dropped = 1;
  CHECK(judged({Lossy.trace()}).Pairs[0].Rejected ==
        "the trace of validation lacks records");
  TraceText Other = rounds(10, 20);
  Other.header().ExecutableHash = 5;
  CHECK(judged({Other.trace()}).Pairs[0].Rejected ==
        "validation left no trace");
}

TEST_CASE("an earlier verdict does not stay") {
  Plan P = judged({rounds(10, 20).trace()});
  takeVerdicts(P, {});
  CHECK_FALSE(P.Pairs[0].Validated);
  takeVerdicts(P, {rounds(10, 20).trace()});
  CHECK(P.Pairs[0].Validated);
  rejectMerging(P, "no");
  CHECK_FALSE(P.Pairs[0].Validated);
  CHECK_FALSE(P.Pairs[2].Rejected);
}

TEST_CASE("only processes that validation saw may use the plan") {
  Trace T = rounds(10, 20).trace();
  T.ExecutableHash = 0xe;
  T.Began = {1, 2, 0, 4, 5, 0};
  Plan P = judged({T});
  P.Context.Processes = {{1, 2, 0, 4, 5, {}, false},
                         {9, 2, 0, 4, 5, {}, false}};
  keepValidatedProcesses(P, {T});
  REQUIRE(P.Context.Processes.size() == 1);
  CHECK(P.Context.Processes[0].Arguments == 1);
  CHECK(P.Pairs[0].Validated);
  T.Began->Arguments = 3; // as where a script gives it a name of its own
  keepValidatedProcesses(P, {T});
  CHECK(P.Context.Processes.empty());
  CHECK_FALSE(P.Pairs[0].Validated);
  CHECK(P.Pairs[0].Rejected);
}
