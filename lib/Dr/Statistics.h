//===- Statistics.h - Is one kind of run faster than another ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares pairs of runs that were made one after the other. A gain counts only
// beyond noise: the median of the ratios is below 1, and so is the upper end of
// their one-sided 95 % confidence interval (Student's t, on logarithms).
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
};

/// Fewer pairs of runs never show a gain.
constexpr unsigned LeastRuns = 3;

/// Compares \p With to \p Without, run by run; both are times.
Comparison compareRuns(const std::vector<double> &Without,
                       const std::vector<double> &With);

/// True if each run of \p With took less than nine tenths of the fastest of
/// \p Without: three of each fall so by chance once in twenty times even
/// without the tenth between them.
bool clearlyGains(const std::vector<double> &Without,
                  const std::vector<double> &With);

} // namespace echo::drtool

#endif
