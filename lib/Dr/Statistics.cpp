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
  std::sort(Logs.begin(), Logs.end());
  C.Median = std::exp((Logs[(N - 1) / 2] + Logs[N / 2]) / 2);
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

static std::vector<double> timesOf(const std::vector<RunTime> &Runs,
                                   double RunTime::*Which) {
  std::vector<double> Out;
  for (const RunTime &R : Runs)
    Out.push_back(R.*Which);
  return Out;
}

Comparison compareTimes(const std::vector<RunTime> &Without,
                        const std::vector<RunTime> &With) {
  const auto A = timesOf(Without, &RunTime::Mean),
             B = timesOf(With, &RunTime::Mean);
  const Comparison Means = compareRuns(A, B);
  if (Means.Gains || compareRuns(B, A).Gains)
    return Means;
  const auto C = timesOf(Without, &RunTime::Undisturbed),
             D = timesOf(With, &RunTime::Undisturbed);
  Comparison Quick = compareRuns(C, D);
  if (!Quick.Gains)
    Quick = compareQuickest(C, D);
  if (!Quick.Gains)
    return Means;
  Quick.OfUndisturbed = true;
  return Quick;
}

bool clearlyGains(const std::vector<double> &Without,
                  const std::vector<double> &With) {
  return Without.size() >= LeastRuns && With.size() >= LeastRuns &&
         *std::max_element(With.begin(), With.end()) <
             0.9 * *std::min_element(Without.begin(), Without.end());
}

} // namespace echo::drtool
