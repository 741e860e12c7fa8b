//===- Statistics.h - Is one kind of run faster than another ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares pairs of runs that were made one after the other. A gain counts only
// beyond noise: the median of the ratios is below 1, and so is the upper end of
// their one-sided 95 % confidence interval (Student's t, on logarithms). On a
// busy machine the means of runs say little; then the beats that nothing
// disturbed are compared. Where whole runs are slowed, by what else the machine
// does, the quickest runs are: if they are all of one kind, chance explains it
// in fewer than one of twenty cases (the precedence test). One run that is far
// off hides a gain from all of these; their ranks show it (the rank-sum test).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_LIB_DR_STATISTICS_H
#define ECHO_LIB_DR_STATISTICS_H

#include <vector>

namespace echo::drtool {

struct Comparison {
  double Median = 1; ///< of with / without
  double Upper = 1;  ///< bound of the mean ratio
  bool Gains = false;
  bool OfUndisturbed = false; ///< of beats that nothing disturbed, not of means
  bool OfQuickest = false;    ///< of the quickest runs alone
  bool OfRanks = false;       ///< by the order of the runs; Upper is not known
  double Chance = 1;          ///< OfRanks: that it is no more than that
};

/// What a run took, in nanoseconds.
struct RunTime {
  double Mean = 0;        ///< a beat, or the whole run
  double Undisturbed = 0; ///< a beat that nothing disturbed; 0: not known
};

/// Fewer pairs of runs never show a gain.
constexpr unsigned LeastRuns = 3;

/// Compares \p With to \p Without, run by run; both are times.
Comparison compareRuns(const std::vector<double> &Without,
                       const std::vector<double> &With);

/// The middle of \p Times; 0: there is none.
double medianOf(std::vector<double> Times);

/// The least of \p Times; 0: there is none, or one is not known, 0.
double quickest(const std::vector<double> &Times);

/// Compares runs that are slowed by turns, each by its quickest: \p With gains
/// if so many of it are quicker than the quickest of \p Without that this is
/// chance in 5 % of cases at most, both being alike: four at least. Median
/// and Upper are the middle and the slowest of these by the quickest of \p
/// Without.
Comparison compareQuickest(const std::vector<double> &Without,
                           const std::vector<double> &With);

/// Compares runs by their order (Wilcoxon, Mann and Whitney): \p With gains if
/// it comes so far ahead by chance in 2.5 % of cases at most, both being alike:
/// four runs of each at least. Median is that of the one by that of the other.
Comparison compareRanks(const std::vector<double> &Without,
                        const std::vector<double> &With);

/// The same of what was undisturbed, and if that shows no gain of the means;
/// they must not come behind so far. The numbers of runs may differ.
Comparison compareOrder(const std::vector<RunTime> &Without,
                        const std::vector<RunTime> &With);

/// Compares the means, and where they show no gain what was undisturbed, in
/// pairs, by the quickest and by rank, and the means by rank: such a gain
/// counts unless the means are slower beyond noise.
Comparison compareTimes(const std::vector<RunTime> &Without,
                        const std::vector<RunTime> &With);

/// True if each run of \p With took less than nine tenths of the fastest of
/// \p Without: three of each fall so by chance once in twenty times even
/// without the tenth between them.
bool clearlyGains(const std::vector<double> &Without,
                  const std::vector<double> &With);

} // namespace echo::drtool

#endif
