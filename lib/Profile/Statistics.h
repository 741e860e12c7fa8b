//===- Statistics.h - Is one kind of run faster than another ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one statistical decision by which a plan is enabled, and what leads to
// it. Runs are made in pairs, with the plan and without, in alternating order.
// Of each pair the logarithm of the ratio is taken, of two measures: the mean
// iteration of the loop, and the iteration that nothing disturbed. Were the
// plan without effect, each ratio would be as likely above 1 as below it; a
// signed-rank test gives the exact chance that so many and so large ones are
// below. Its ranks (Wilcoxon's) end at half the number of pairs, so that pairs
// which something else slowed in part count for no more than others. It is
// looked at after 6, 12 and 24 pairs (or more, in that proportion). Each
// measure may spend 2.5 %: 1/64 at the first look, 3/640 at each of the others.
// So a plan without effect is enabled in at most 5 % of cases, whatever the
// distribution of the times, and whatever was tried before: these are runs of
// their own. Stopping early without a gain, and refusing one for which the loop
// or the process is slower, only lowers that.
//
// What must never be done: look more often, add runs, or add a measure without
// taking its part of the 5 %.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_STATISTICS_H
#define ECHO_PROFILE_STATISTICS_H

#include <string>
#include <vector>

namespace echo::drtool {

/// What a run took, in nanoseconds.
struct RunTime {
  double Mean = 0;        ///< an iteration, or the whole run
  double Undisturbed = 0; ///< an iteration that nothing disturbed; 0: not known
  double Whole = 0;       ///< the process; 0: not known
};

/// The middle of \p Times; 0: there is none.
double medianOf(std::vector<double> Times);

/// The chance that values of which each is as likely positive as negative are
/// so far below 0 as \p Values: exactly, by signed ranks, none of which is more
/// than half the number of values. A zero speaks against.
double signedRankChance(const std::vector<double> &Values);

/// Decides whether a plan gains, by pairs of runs.
class PairedTest {
public:
  enum class Verdict {
    Open,   ///< more pairs are needed
    Gains,  ///< beyond noise
    NoGain, ///< none that shows
    Slower, ///< a gain of the loop that costs more elsewhere
    Busy,   ///< the machine is too busy to show any gain of 5 %
  };
  struct Decision {
    Verdict What = Verdict::Open;
    double Median = 1;          ///< of with / without, of what decided
    double Chance = 1;          ///< of what decided
    bool OfUndisturbed = false; ///< what decided
    double Resolution = 0;      ///< smallest gain that so many pairs show
    unsigned Pairs = 0;
    std::string Why; ///< for people
  };

  /// The first look is after \p First pairs, at least LeastPairs; \p Looks of
  /// them, 2 or 3, with twice as many pairs at each. Both are chosen before
  /// the first pair is run.
  PairedTest(unsigned First, unsigned Looks);

  static constexpr unsigned LeastPairs = 6;

  /// Pairs at the next look; 0: it is decided.
  unsigned wanted() const;
  /// Pairs if all looks are needed.
  unsigned most() const;
  void add(const RunTime &Without, const RunTime &With);
  const Decision &decision() const { return Last; }

private:
  unsigned First, Looks, Done = 0; ///< looks that were taken
  std::vector<double> Means, Quick, Whole;
  bool HasQuick = true, HasWhole = true, Measured = true;
  Decision Last;

  double levelNow() const;
  void look();
  /// Says of \p D, in which \p What is faster beyond chance, whether the rest
  /// is not slower for it.
  void judgeGain(Decision &D, const char *What) const;
};

/// Fewer pairs of runs choose nothing.
constexpr unsigned LeastRuns = 3;

/// What runs of a choice promise, by which choices are compared. No error rate
/// follows from it: what is chosen is decided on by a PairedTest.
struct Promise {
  double Ratio = 1; ///< median of with / without
  bool Gains = false;
};
/// \p With gains if it is faster in three of four pairs, and in the middle by
/// half a percent, in one of the two measures.
Promise promiseOf(const std::vector<RunTime> &Without,
                  const std::vector<RunTime> &With);

/// How far runs of one kind lie apart, as a part of their time: a standard
/// deviation that a few runs which are far off do not change. 0: not known.
double spreadOfRuns(const std::vector<RunTime> &Runs);
/// Where they lie further apart, a choice that gains less may promise nothing.
constexpr double BusySpread = 0.1;

/// True if no further run of \p With is needed to choose: each was faster by a
/// tenth than every one of \p Without, or slower by a twentieth.
bool isClear(const std::vector<RunTime> &Without,
             const std::vector<RunTime> &With);

} // namespace echo::drtool

#endif
