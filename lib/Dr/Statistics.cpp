//===- Statistics.cpp - Is one kind of run faster than another ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Statistics.h.
//
//===----------------------------------------------------------------------===//
#include "lib/Dr/Statistics.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace echo::drtool {

double medianOf(std::vector<double> Times) {
  if (Times.empty())
    return 0;
  std::sort(Times.begin(), Times.end());
  return (Times[(Times.size() - 1) / 2] + Times[Times.size() / 2]) / 2;
}

Comparison compareRuns(const std::vector<double> &Without,
                       const std::vector<double> &With) {
  Comparison C;
  const size_t N = std::min(Without.size(), With.size());
  std::vector<double> Logs;
  for (size_t I = 0; I < N; ++I) {
    if (!(Without[I] > 0) || !(With[I] > 0))
      return C;
    Logs.push_back(std::log(With[I] / Without[I]));
  }
  if (N < LeastRuns)
    return C;
  C.Median = std::exp(medianOf(Logs));
  double Mean = 0, Squares = 0;
  for (double L : Logs)
    Mean += L / double(N);
  for (double L : Logs)
    Squares += (L - Mean) * (L - Mean);
  const double Error = std::sqrt(Squares / double(N - 1) / double(N));
  const boost::math::students_t T(double(N - 1));
  C.Upper = std::exp(Mean + boost::math::quantile(T, 0.95) * Error);
  C.Gains = C.Median < 1 && C.Upper < 1;
  return C;
}

double quickest(const std::vector<double> &Times) {
  return Times.empty() ? 0 : *std::min_element(Times.begin(), Times.end());
}

/// Fewer are chance in 5 % of cases, or more.
static constexpr size_t LeastQuickest = 4;

Comparison compareQuickest(const std::vector<double> &Without,
                           const std::vector<double> &With) {
  const double Quickest = quickest(Without);
  if (Quickest == 0 || quickest(With) == 0)
    return {};
  std::vector<double> Ahead;
  double Chance = 1;
  for (double T : With)
    if (T < Quickest) {
      const auto Before = double(Ahead.size());
      Chance *= (double(With.size()) - Before) /
                (double(With.size() + Without.size()) - Before);
      Ahead.push_back(T / Quickest);
    }
  if (Ahead.size() < LeastQuickest || Chance > 0.05)
    return {};
  std::sort(Ahead.begin(), Ahead.end());
  Comparison C;
  C.Median = Ahead[(Ahead.size() - 1) / 2];
  C.Upper = Ahead.back();
  C.Gains = C.OfQuickest = true;
  return C;
}

/// The chance that of \p N times and \p M others, all alike, \p Most pairs at
/// most have the first one slower.
static double chanceOfOrder(size_t N, size_t M, double Most) {
  // How many orders have so many such pairs: a Gaussian binomial coefficient,
  // the product of (1 - q^(M + I)) / (1 - q^I).
  std::vector<double> Orders(N * M + 1, 0);
  Orders[0] = 1;
  for (size_t I = 1; I <= N; ++I) {
    for (size_t U = N * M; U >= M + I; --U)
      Orders[U] -= Orders[U - M - I];
    for (size_t U = I; U <= N * M; ++U)
      Orders[U] += Orders[U - I];
  }
  double All = 0, Few = 0;
  for (size_t U = 0; U <= N * M; ++U) {
    All += Orders[U];
    if (double(U) <= Most)
      Few += Orders[U];
  }
  return Few / All;
}

Comparison compareRanks(const std::vector<double> &Without,
                        const std::vector<double> &With) {
  if (quickest(Without) == 0 || quickest(With) == 0)
    return {};
  double Slower = 0; // a tie is half of a pair
  for (double W : With)
    for (double T : Without)
      Slower += W > T ? 1 : W < T ? 0 : 0.5;
  Comparison C;
  C.Chance = chanceOfOrder(With.size(), Without.size(), std::ceil(Slower));
  C.Median = medianOf(With) / medianOf(Without);
  C.Gains = C.OfRanks = C.Median < 1 && C.Chance <= 0.025;
  return C.Gains ? C : Comparison();
}

static std::vector<double> timesOf(const std::vector<RunTime> &Runs,
                                   double RunTime::*Which) {
  std::vector<double> Out;
  for (const RunTime &R : Runs)
    Out.push_back(R.*Which);
  return Out;
}

Comparison compareOrder(const std::vector<RunTime> &Without,
                        const std::vector<RunTime> &With) {
  const auto A = timesOf(Without, &RunTime::Mean),
             B = timesOf(With, &RunTime::Mean);
  if (compareRanks(B, A).Gains)
    return {};
  Comparison Quick = compareRanks(timesOf(Without, &RunTime::Undisturbed),
                                  timesOf(With, &RunTime::Undisturbed));
  Quick.OfUndisturbed = Quick.Gains;
  return Quick.Gains ? Quick : compareRanks(A, B);
}

Comparison compareTimes(const std::vector<RunTime> &Without,
                        const std::vector<RunTime> &With) {
  const auto A = timesOf(Without, &RunTime::Mean),
             B = timesOf(With, &RunTime::Mean);
  const Comparison Means = compareRuns(A, B);
  if (Means.Gains || compareRuns(B, A).Gains || compareRanks(B, A).Gains)
    return Means;
  const auto C = timesOf(Without, &RunTime::Undisturbed),
             D = timesOf(With, &RunTime::Undisturbed);
  for (auto Compare : {compareRuns, compareQuickest})
    if (Comparison Quick = Compare(C, D); Quick.Gains) {
      Quick.OfUndisturbed = true;
      return Quick;
    }
  const Comparison Order = compareOrder(Without, With);
  return Order.Gains ? Order : Means;
}

bool clearlyGains(const std::vector<double> &Without,
                  const std::vector<double> &With) {
  return Without.size() >= LeastRuns && With.size() >= LeastRuns &&
         *std::max_element(With.begin(), With.end()) <
             0.9 * *std::min_element(Without.begin(), Without.end());
}

} // namespace echo::drtool
