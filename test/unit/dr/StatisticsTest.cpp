//===- StatisticsTest.cpp - The decision that enables a plan --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error rate that the docs promise, by simulation: plans without effect on
// machines of several kinds are enabled in at most 5 % of cases, and plans
// that gain are found.
//
//===----------------------------------------------------------------------===//
#include "Profile/Statistics.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <random>

using namespace echo::drtool;
using Verdict = PairedTest::Verdict;

namespace {
/// A machine: what slows the run that comes next, and its quickest iterations.
struct Machine {
  std::mt19937_64 Random;
  std::normal_distribution<double> Normal;
  bool Slow = false;
  unsigned Runs = 0;
  explicit Machine(uint64_t Seed) : Random(Seed) {}
  double uniform() { return double(Random() >> 11) / double(1ull << 53); }
};
using Slowness = std::function<RunTime(Machine &)>;

PairedTest::Decision decide(Machine &M, const Slowness &Run, double Ratio,
                            unsigned First = 6, unsigned Looks = 3) {
  PairedTest T(First, Looks);
  for (unsigned Pair = 0; T.wanted(); ++Pair) {
    RunTime Times[2];
    for (unsigned I = 0; I != 2; ++I) {
      const unsigned Which = Pair % 2 ? 1 - I : I;
      Times[Which] = Run(M);
      ++M.Runs;
    }
    Times[1].Mean *= Ratio;
    Times[1].Undisturbed *= Ratio;
    T.add(Times[0], Times[1]);
  }
  return T.decision();
}

/// How many of 10,000 are enabled.
double enabled(const Slowness &Run, double Ratio, unsigned Count = 10000,
               unsigned First = 6, unsigned Looks = 3) {
  unsigned Gains = 0;
  for (unsigned I = 0; I != Count; ++I) {
    Machine M(I * 7919 + 1);
    Gains += decide(M, Run, Ratio, First, Looks).What == Verdict::Gains;
  }
  return double(Gains) / Count;
}

RunTime quiet(Machine &M) {
  return {1000 * std::exp(0.01 * M.Normal(M.Random)),
          900 * std::exp(0.003 * M.Normal(M.Random)), 0};
}
/// The two measures have nothing in common: the worst case for two of them.
RunTime noisy(Machine &M) {
  return {1000 * std::exp(0.2 * M.Normal(M.Random)),
          900 * std::exp(0.1 * M.Normal(M.Random)), 0};
}
/// Something else comes and goes, and slows whole runs.
RunTime busy(Machine &M) {
  if (M.uniform() < 0.2)
    M.Slow = !M.Slow;
  const double By = M.Slow ? 1.5 : 1;
  return {1000 * By * std::exp(0.05 * M.Normal(M.Random)),
          900 * By * std::exp(0.01 * M.Normal(M.Random)), 0};
}
/// It gets slower all the time, and some runs are far off.
RunTime drifting(Machine &M) {
  const double By = 1 + 0.01 * M.Runs;
  const double Far = M.uniform() < 0.1 ? 1 + 10 * M.uniform() : 1;
  return {1000 * By * Far * std::exp(0.02 * M.Normal(M.Random)),
          900 * By * std::exp(0.01 * M.Normal(M.Random)), 0};
}
/// A coarse clock, and no iterations to see: many runs take the same time.
RunTime coarse(Machine &M) { return {double(100 + M.Random() % 3), 0, 0}; }
} // namespace

TEST_CASE("of 10,000 plans without effect at most 5 % are enabled") {
  const auto [Name, Run] =
      GENERATE(table<const char *, Slowness>({{"quiet", quiet},
                                              {"noisy", noisy},
                                              {"busy", busy},
                                              {"drifting", drifting},
                                              {"coarse", coarse}}));
  INFO(Name);
  const double Rate = enabled(Run, 1);
  INFO(Rate);
  CHECK(Rate <= 0.05);
  CHECK(enabled(Run, 1.02, 2000) <= 0.05);
}

TEST_CASE("the number of runs is chosen by the user") {
  CHECK(enabled(noisy, 1, 4000, 9, 2) <= 0.05);
  CHECK(enabled(noisy, 1, 4000, 3, 2) <= 0.05); // 6 at least
  CHECK(PairedTest(3, 2).wanted() == 6);
  CHECK(PairedTest(9, 3).most() == 36);
}

TEST_CASE("plans that gain are enabled") {
  CHECK(enabled(quiet, 0.98, 500) > 0.95);
  CHECK(enabled(busy, 0.9, 500) > 0.9);
  CHECK(enabled(drifting, 0.93, 500) > 0.9);
  CHECK(enabled(noisy, 0.7, 500) > 0.9);
}

TEST_CASE("the chance of signed ranks is exact") {
  CHECK(signedRankChance({-1, -2, -3, -4, -5, -6}) == Approx(1.0 / 64));
  CHECK(signedRankChance({1, -2, -3, -4, -5, -6}) == Approx(2.0 / 64));
  CHECK(signedRankChance({-1, 2, -3, -4, -5, -6}) == Approx(3.0 / 64));
  CHECK(signedRankChance({1, 2, 3}) == Approx(1));
  CHECK(signedRankChance({0, 0, 0, 0}) == Approx(1));
  CHECK(signedRankChance({-1, -1}) == Approx(0.25));
  CHECK(signedRankChance({-1, 1}) == Approx(0.75)); // equal: mean ranks
  CHECK(signedRankChance({}) == Approx(1));
}

TEST_CASE("a decision says what it is of") {
  auto Of = [](std::vector<std::pair<RunTime, RunTime>> Pairs) {
    PairedTest T(6, 2);
    for (size_t I = 0; T.wanted(); ++I)
      T.add(Pairs[I % Pairs.size()].first, Pairs[I % Pairs.size()].second);
    return T.decision();
  };
  const auto Mean = Of({{{10, 0, 0}, {5, 0, 0}}, {{11, 0, 0}, {6, 0, 0}}});
  CHECK(Mean.What == Verdict::Gains);
  CHECK(Mean.Pairs == 6);
  CHECK_FALSE(Mean.OfUndisturbed);
  CHECK(Mean.Why.find("the loop takes 0.52") != std::string::npos);
  // Means that say nothing hide no gain of the undisturbed iterations.
  const auto Quick =
      Of({{{10, 6, 0}, {14, 5.8, 0}}, {{14, 6, 0}, {10, 5.8, 0}}});
  CHECK(Quick.What == Verdict::Gains);
  CHECK(Quick.OfUndisturbed);
  // Slower on the whole: the loop's, or the process's.
  CHECK(Of({{{10, 6, 0}, {15, 5.8, 0}}}).What == Verdict::Slower);
  CHECK(Of({{{10, 6, 100}, {9, 5, 110}}}).What == Verdict::Slower);
  CHECK(Of({{{10, 6, 100}, {9, 5, 100.5}}}).What == Verdict::Gains);
  // No gain: at the first look, without more runs.
  const auto None = Of({{{10, 6, 0}, {10.1, 6, 0}}});
  CHECK(None.What == Verdict::NoGain);
  CHECK(None.Pairs == 6);
  CHECK(Of({{{10, 0, 0}, {0, 0, 0}}}).What == Verdict::NoGain);
  // Too busy to tell: the runs of a pair differ by as much as there is.
  const auto Busy = Of({{{10, 0, 0}, {7, 0, 0}},
                        {{7, 0, 0}, {10.1, 0, 0}},
                        {{10, 0, 0}, {9, 0, 0}}});
  CHECK(Busy.What == Verdict::Busy);
  CHECK(Busy.Why.find("too busy to tell") != std::string::npos);
}

TEST_CASE("how far runs lie apart") {
  using Runs = std::vector<RunTime>;
  CHECK(spreadOfRuns(Runs{{10, 0, 0}, {10, 0, 0}}) == 0); // too few
  CHECK(spreadOfRuns(Runs{{10, 0, 0}, {14, 0, 0}, {7, 0, 0}, {12, 0, 0}}) >
        BusySpread);
  // One that is far off, and iterations that nothing disturbed.
  CHECK(spreadOfRuns(Runs{
            {10, 0, 0}, {10.1, 0, 0}, {99, 0, 0}, {9.9, 0, 0}, {10, 0, 0}}) <
        BusySpread);
  CHECK(spreadOfRuns(Runs{{10, 6, 0}, {14, 6.1, 0}, {7, 6, 0}, {12, 6, 0}}) <
        BusySpread);
}

TEST_CASE("what a choice promises") {
  using Runs = std::vector<RunTime>;
  const Runs Plain = {{10, 6, 0}, {12, 6, 0}, {11, 6, 0}, {10, 6, 0}};
  CHECK(promiseOf(Plain, Runs{{5, 4, 0}, {6, 4, 0}, {5, 4, 0}, {12, 4, 0}})
            .Gains);
  const Promise Means =
      promiseOf(Plain, Runs{{5, 6, 0}, {6, 6, 0}, {5.5, 6, 0}, {5, 6, 0}});
  CHECK(Means.Gains);
  CHECK(Means.Ratio == Approx(0.5));
  CHECK_FALSE(promiseOf(Plain, Plain).Gains);
  CHECK_FALSE(promiseOf(Plain, Runs{{5, 0, 0}, {6, 0, 0}}).Gains); // too few
  CHECK_FALSE(
      promiseOf(Plain, Runs{{9, 0, 0}, {11, 0, 0}, {12, 0, 0}, {11, 0, 0}})
          .Gains);
  CHECK(isClear({{10, 0, 0}, {10.1, 0, 0}, {9.9, 0, 0}},
                {{5, 0, 0}, {8.8, 0, 0}, {4.9, 0, 0}}));
  CHECK_FALSE(isClear({{10, 0, 0}, {10.1, 0, 0}, {9.9, 0, 0}},
                      {{5, 0, 0}, {9, 0, 0}, {4.9, 0, 0}}));
  CHECK(isClear({{10, 0, 0}, {10, 0, 0}, {10, 0, 0}},
                {{11, 0, 0}, {12, 0, 0}, {11, 0, 0}}));
}
