//===- VerdictsTest.cpp - Who passes validation, and what is a gain -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair passes by rounds that were watched in full; each twin lacks one thing.
//
//===----------------------------------------------------------------------===//
#include "TraceText.h"

#include "lib/Dr/Statistics.h"
#include "lib/Dr/Verdicts.h"

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
        "only 1 rounds of GPU work were watched");
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

TEST_CASE("a gain is one beyond noise") {
  CHECK(compareRuns({10, 10.1, 9.9}, {5, 5.1, 4.9}).Gains);
  CHECK(compareRuns({10, 10.1, 9.9}, {5, 5.1, 4.9}).Median ==
        Approx(0.5).epsilon(0.02));
  CHECK_FALSE(compareRuns({10, 10, 10}, {5, 12, 9}).Gains); // noise
  CHECK_FALSE(compareRuns({10, 10, 10}, {10, 10, 10}).Gains);
  CHECK_FALSE(compareRuns({10, 10, 10}, {11, 11, 11}).Gains);
  CHECK_FALSE(compareRuns({10, 10}, {5, 5}).Gains);       // too few
  CHECK_FALSE(compareRuns({10, 0, 10}, {5, 5, 5}).Gains); // not measured
  CHECK_FALSE(compareRuns({}, {}).Gains);
  CHECK(compareRuns({10, 10, 10}, {9.9, 9.9, 9.9}).Gains);
  // Student's t with two degrees of freedom: 2.92 standard errors.
  CHECK(clearlyGains({10, 10.1, 9.9}, {5, 8.8, 4.9}));
  CHECK_FALSE(clearlyGains({10, 10.1, 9.9}, {5, 9, 4.9})); // too near to one
  CHECK_FALSE(clearlyGains({10, 10}, {5, 5}));             // too few
  CHECK_FALSE(clearlyGains({0, 0, 0}, {0, 0, 0}));         // not measured
  const Comparison C = compareRuns({100, 100, 100}, {90, 95, 100});
  CHECK(C.Median == Approx(0.95));
  CHECK(C.Upper == Approx(1.038).epsilon(0.002));
}

TEST_CASE("beats that nothing disturbed show a gain that means hide") {
  using Runs = std::vector<RunTime>;
  const Runs Plain = {{1000, 600}, {1400, 601}, {1100, 599}, {1200, 600}};
  const Comparison C = compareTimes(
      Plain, Runs{{1300, 580}, {1000, 581}, {1150, 579}, {1250, 580}});
  CHECK(C.Gains);
  CHECK(C.OfUndisturbed);
  CHECK(C.Median == Approx(580.0 / 600).epsilon(0.002));
  // Slower on the whole beyond noise: the means count.
  const Comparison Slow = compareTimes(
      Plain, Runs{{1500, 580}, {2100, 581}, {1650, 579}, {1800, 580}});
  CHECK_FALSE(Slow.Gains);
  CHECK(Slow.Median == Approx(1.5));
  // No gain there either, and not known in one of the runs.
  CHECK_FALSE(compareTimes(Plain, Plain).Gains);
  CHECK_FALSE(compareTimes(
                  Plain, Runs{{1300, 580}, {1000, 0}, {1150, 579}, {1250, 580}})
                  .Gains);
  // Whole runs are slowed by turns: the quickest are all of one kind.
  const Runs Slowed = {{1500, 900}, {1000, 600}, {1500, 900}, {1000, 600},
                       {1500, 900}, {1500, 900}, {1000, 600}, {1500, 900}};
  Runs Quicker = {{1500, 860}, {1500, 860}, {1000, 570}, {1500, 860},
                  {1000, 571}, {1000, 572}, {1500, 860}, {1000, 573}};
  const Comparison Ahead = compareTimes(Slowed, Quicker);
  CHECK(Ahead.Gains);
  CHECK(Ahead.OfUndisturbed);
  CHECK(Ahead.OfQuickest);
  CHECK(Ahead.Median == Approx(571.0 / 600));
  CHECK(Ahead.Upper == Approx(573.0 / 600));
  // Three of them may be chance.
  Quicker.back().Undisturbed = 860;
  CHECK_FALSE(compareTimes(Slowed, Quicker).Gains);
  // What the means show needs nothing else.
  const Comparison Means =
      compareTimes(Plain, Runs{{500, 0}, {700, 0}, {550, 0}, {600, 0}});
  CHECK(Means.Gains);
  CHECK_FALSE(Means.OfUndisturbed);
}

TEST_CASE("the order of runs shows a gain that one odd run hides") {
  // Milliseconds of M2 on a busy machine, without and with one buffer for two.
  const std::vector<double> Plain = {4.853, 4.708, 3.053, 4.318, 4.529,
                                     4.659, 4.230, 4.773, 4.504, 4.384},
                            Merged = {3.992, 4.238, 3.742, 3.715, 4.446,
                                      4.200, 4.269, 4.600, 4.100, 4.102};
  CHECK_FALSE(compareRuns(Plain, Merged).Gains);
  CHECK_FALSE(compareQuickest(Plain, Merged).Gains);
  const Comparison C = compareRanks(Plain, Merged);
  CHECK(C.Gains);
  CHECK(C.OfRanks);
  CHECK(C.Median == Approx(4.151 / 4.5165));
  CHECK(C.Chance == Approx(0.0116).epsilon(0.02)); // U is 20 of 100
  CHECK_FALSE(compareRanks(Merged, Plain).Gains);
  // The least chance: 1 of 70 orders of four and four, 1 of 20 of threes.
  CHECK(compareRanks({5, 6, 7, 8}, {1, 2, 3, 4}).Chance == Approx(1.0 / 70));
  CHECK_FALSE(compareRanks({5, 6, 7, 8}, {1, 2, 3, 5.5}).Gains); // 2 of 70
  CHECK_FALSE(compareRanks({5, 6, 7}, {1, 2, 3}).Gains);
  CHECK_FALSE(compareRanks({5, 5, 5, 5}, {5, 5, 5, 5}).Gains);
  CHECK_FALSE(compareRanks({5, 6, 7, 8}, {1, 2, 3, 0}).Gains); // not measured
  CHECK_FALSE(compareRanks({}, {}).Gains);
  using Runs = std::vector<RunTime>;
  Runs A, B;
  for (size_t I = 0; I != Plain.size(); ++I) {
    A.push_back({Plain[I], 0});
    B.push_back({Merged[I], 0});
  }
  CHECK(compareTimes(A, B).OfRanks);
  CHECK(compareOrder(A, B).Chance == Approx(0.0116).epsilon(0.02));
  // More runs of one kind than of the other.
  B.insert(B.end(), B.begin(), B.end());
  CHECK(compareOrder(A, B).Chance < 0.0116);
  CHECK_FALSE(compareOrder(B, A).Gains);
  B.resize(A.size());
  CHECK_FALSE(compareTimes(B, A).Gains);
}
