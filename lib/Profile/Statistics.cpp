//===- Statistics.cpp - Is one kind of run faster than another ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Statistics.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace echo::drtool {

double medianOf(std::vector<double> Times) {
  if (Times.empty())
    return 0;
  std::sort(Times.begin(), Times.end());
  return (Times[(Times.size() - 1) / 2] + Times[Times.size() / 2]) / 2;
}

double signedRankChance(const std::vector<double> &Values) {
  const size_t N = Values.size();
  std::vector<size_t> Order(N);
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::sort(Order.begin(), Order.end(), [&](size_t L, size_t R) {
    return std::abs(Values[L]) < std::abs(Values[R]);
  });
  // Twice the rank, so that the mean rank of equal ones is whole.
  std::vector<size_t> Ranks(N);
  for (size_t I = 0; I < N;) {
    size_t End = I;
    while (End < N &&
           std::abs(Values[Order[End]]) == std::abs(Values[Order[I]]))
      ++End;
    for (size_t J = I; J < End; ++J)
      Ranks[Order[J]] = std::min(I + 1 + End, std::max<size_t>(N, 2));
    I = End;
  }
  size_t Against = 0; // the ranks that speak against a gain
  for (size_t I = 0; I < N; ++I)
    if (!(Values[I] < 0))
      Against += Ranks[I];
  // How likely each sum of ranks is, where each sign is a coin's.
  std::vector<double> Chances(Against + 1, 0);
  Chances[0] = 1;
  for (size_t Rank : Ranks)
    for (size_t Sum = Against + 1; Sum-- > 0;)
      Chances[Sum] =
          (Chances[Sum] + (Sum >= Rank ? Chances[Sum - Rank] : 0)) / 2;
  return std::accumulate(Chances.begin(), Chances.end(), 0.0);
}

static constexpr double FirstLevel = 1.0 / 64, Level = 0.025;

PairedTest::PairedTest(unsigned First, unsigned Looks)
    : First(std::max(First, LeastPairs)), Looks(std::clamp(Looks, 2u, 3u)) {}

double PairedTest::levelNow() const {
  return Done == 0 ? FirstLevel : (Level - FirstLevel) / (Looks - 1);
}

unsigned PairedTest::wanted() const {
  return Last.What == Verdict::Open ? First << Done : 0;
}

unsigned PairedTest::most() const { return First << (Looks - 1); }

void PairedTest::add(const RunTime &Without, const RunTime &With) {
  if (Last.What != Verdict::Open)
    return;
  auto Log = [](double A, double B) {
    return A > 0 && B > 0 ? std::log(B / A) : 0;
  };
  Measured &= Without.Mean > 0 && With.Mean > 0;
  HasQuick &= Without.Undisturbed > 0 && With.Undisturbed > 0;
  HasWhole &= Without.Whole > 0 && With.Whole > 0;
  Means.push_back(Log(Without.Mean, With.Mean));
  Quick.push_back(Log(Without.Undisturbed, With.Undisturbed));
  Whole.push_back(Log(Without.Whole, With.Whole));
  if (Means.size() == wanted())
    look();
}

static std::vector<double> negated(std::vector<double> Values) {
  for (double &V : Values)
    V = -V;
  return Values;
}

/// How far values lie apart: the standard deviation of a normal distribution
/// with the same median distance from the middle.
static double spreadOf(const std::vector<double> &Logs) {
  const double Middle = medianOf(Logs);
  std::vector<double> Distances;
  for (double L : Logs)
    Distances.push_back(std::abs(L - Middle));
  return 1.4826 * medianOf(Distances);
}

/// Less is no gain that anybody would ask for.
static constexpr double LeastGain = 0.005;
/// A machine on which gains of this size do not show is too busy.
static constexpr double MostNoise = 0.05;

void PairedTest::judgeGain(Decision &D, const char *What) const {
  const double WholeRatio = HasWhole ? std::exp(medianOf(Whole)) : 1;
  if (signedRankChance(negated(Means)) <= 0.05) {
    D.What = Verdict::Slower;
    D.Why =
        fmt::format("{} takes {:.3f} of its time, but all iterations together "
                    "{:.3f}",
                    What, D.Median, std::exp(medianOf(Means)));
  } else if (WholeRatio > 1.01 && signedRankChance(negated(Whole)) <= 0.05) {
    D.What = Verdict::Slower;
    D.Why = fmt::format("{} takes {:.3f} of its time, but the whole process "
                        "{:.3f}",
                        What, D.Median, WholeRatio);
  } else {
    D.What = Verdict::Gains;
    D.Why = fmt::format("{} takes {:.3f} of its time; that {} pairs of runs "
                        "show so much is chance in {:.2g} % of cases",
                        What, D.Median, D.Pairs, 100 * D.Chance);
  }
}

void PairedTest::look() {
  const double Allowed = levelNow();
  ++Done;
  Decision D;
  D.Pairs = unsigned(Means.size());
  if (!Measured) {
    D.What = Verdict::NoGain;
    D.Why = "the loop was not seen in each run";
    Last = D;
    return;
  }
  const double MeanChance = signedRankChance(Means),
               QuickChance = HasQuick ? signedRankChance(Quick) : 1;
  D.OfUndisturbed = HasQuick && QuickChance < MeanChance;
  const std::vector<double> &Logs = D.OfUndisturbed ? Quick : Means;
  D.Chance = std::min(MeanChance, QuickChance);
  D.Median = std::exp(medianOf(Logs));
  double Spread = spreadOf(Means);
  if (HasQuick)
    Spread = std::min(Spread, spreadOf(Quick));
  D.Resolution = 2.5 * Spread / std::sqrt(double(D.Pairs));
  const char *What =
      D.OfUndisturbed ? "an undisturbed iteration of the loop" : "the loop";
  if (D.Chance <= Allowed && D.Median < 1) {
    judgeGain(D, What);
    Last = D;
    return;
  }
  const bool Hopeless =
      medianOf(Means) > std::log(1 - LeastGain) &&
      (!HasQuick || medianOf(Quick) > std::log(1 - LeastGain));
  if (Done < Looks && !Hopeless) {
    Last = D;
    return;
  }
  D.What = D.Resolution > MostNoise ? Verdict::Busy : Verdict::NoGain;
  D.Why = D.What == Verdict::Busy
              ? fmt::format("the machine is too busy to tell: pairs of runs "
                            "differ by {:.0f} %, and {} of them do not show "
                            "gains below {:.0f} %; try again when it is idle",
                            100 * Spread, D.Pairs, 100 * D.Resolution)
              : fmt::format("{} takes {:.3f} of its time in {} pairs of runs: "
                            "no gain beyond noise",
                            What, D.Median, D.Pairs);
  Last = D;
}

/// The logarithms of the ratios of pairs; empty if one is not known.
static std::vector<double> logsOf(const std::vector<RunTime> &Without,
                                  const std::vector<RunTime> &With,
                                  double RunTime::*Which) {
  std::vector<double> Logs;
  for (size_t I = 0; I < std::min(Without.size(), With.size()); ++I) {
    if (!(Without[I].*Which > 0) || !(With[I].*Which > 0))
      return {};
    Logs.push_back(std::log(With[I].*Which / Without[I].*Which));
  }
  return Logs;
}

Promise promiseOf(const std::vector<RunTime> &Without,
                  const std::vector<RunTime> &With) {
  Promise Out;
  bool Any = false;
  for (auto Which : {&RunTime::Undisturbed, &RunTime::Mean}) {
    const std::vector<double> Logs = logsOf(Without, With, Which);
    if (Logs.size() < LeastRuns)
      continue;
    const double Middle = medianOf(Logs);
    const auto Faster = double(std::count_if(Logs.begin(), Logs.end(),
                                             [](double L) { return L < 0; }));
    const bool Gains = Middle < std::log(1 - LeastGain) &&
                       Faster >= 0.75 * double(Logs.size());
    if (Any && (!Gains || Out.Gains))
      continue; // the undisturbed iterations come first
    Any = true;
    Out = {std::exp(Middle), Gains};
  }
  return Out;
}

double spreadOfRuns(const std::vector<RunTime> &Runs) {
  double Least = 0;
  for (auto Which : {&RunTime::Mean, &RunTime::Undisturbed}) {
    std::vector<double> Logs;
    for (const RunTime &R : Runs)
      if (R.*Which > 0)
        Logs.push_back(std::log(R.*Which));
    if (Logs.size() != Runs.size() || Logs.size() < LeastRuns)
      continue;
    const double Spread = spreadOf(Logs);
    Least = Least > 0 ? std::min(Least, Spread) : Spread;
  }
  return Least;
}

bool isClear(const std::vector<RunTime> &Without,
             const std::vector<RunTime> &With) {
  if (Without.size() < LeastRuns || With.size() < LeastRuns)
    return false;
  auto Less = [](const RunTime &L, const RunTime &R) {
    return L.Mean < R.Mean;
  };
  const auto [A, B] = std::minmax_element(Without.begin(), Without.end(), Less);
  const auto [C, D] = std::minmax_element(With.begin(), With.end(), Less);
  return D->Mean < 0.9 * A->Mean || C->Mean > 1.05 * B->Mean;
}

} // namespace echo::drtool
