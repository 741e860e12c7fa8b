//===- Calibrate.cpp - Which choice pays for which pair -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pair by pair, largest copy time first: runs the program with each choice that
// is open and without it, in turns, and keeps the choice with the best median
// that gains beyond noise. At the end the whole plan is compared with the
// program as it is, in runs of their own, and is enabled only if it gains.
//
//===----------------------------------------------------------------------===//
#include "Trials.h"

#include "lib/Dr/Report.h"
#include "lib/Dr/Statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace echo {

using namespace drtool;

namespace {

class Calibration {
  Trials &T;
  Plan Current; ///< what was chosen so far
  unsigned Rounds;
  unsigned Done = 0, All = 0;
  double Seconds = 0;
  /// One run with \p P.
  Trials::Result run(Plan P, const std::string &What) {
    const bool Changes =
        std::any_of(P.Pairs.begin(), P.Pairs.end(), [](const PlanPair &Pair) {
          return Pair.Chosen != Choice::Leave;
        });
    P.Enabled = true;
    // Without a choice nothing is changed, but all is recorded.
    Trials::Result R = T.run(Changes ? "optimize" : "profile", P);
    if (T.stopped())
      return R;
    ++Done;
    Seconds += R.Seconds;
    say(fmt::format("calibrate: run {} of {}, {}: {}{}", Done, All, What,
                    !R.Differs.empty() ? R.Differs
                    : R.Loop.Mean > 0  ? timeText(R.Loop.Mean) + " a beat"
                                       : timeText(R.Seconds * 1e9) + " in all",
                    Done < All ? fmt::format(", about {:.0f} s left",
                                             Seconds / Done * (All - Done))
                               : ""));
    return R;
  }

  /// The times of \p Runs by the loop, or by the process if it was not seen.
  static std::vector<RunTime> times(const std::vector<Trials::Result> &Runs,
                                    bool ByLoop) {
    std::vector<RunTime> Out;
    for (const Trials::Result &R : Runs)
      Out.push_back(ByLoop ? R.Loop : RunTime{R.Seconds * 1e9});
    return Out;
  }

  /// The means of the beats of \p Runs, or what was undisturbed.
  static std::vector<double> beats(const std::vector<Trials::Result> &Runs,
                                   double RunTime::*Which) {
    std::vector<double> Out;
    for (const Trials::Result &R : Runs)
      Out.push_back(R.Loop.*Which);
    return Out;
  }

  /// The ratio of the beats that nothing disturbed; 1: it is not known.
  static double undisturbedRatio(const std::vector<Trials::Result> &Without,
                                 const std::vector<Trials::Result> &With) {
    return compareRuns(beats(Without, &RunTime::Undisturbed),
                       beats(With, &RunTime::Undisturbed))
        .Median;
  }

  /// The ratio of the quickest of them; 1: it is not known.
  static double quickestRatio(const std::vector<Trials::Result> &Without,
                              const std::vector<Trials::Result> &With) {
    const double Least = quickest(beats(Without, &RunTime::Undisturbed)),
                 LeastWith = quickest(beats(With, &RunTime::Undisturbed));
    return Least > 0 && LeastWith > 0 ? LeastWith / Least : 1;
  }

  /// True if more runs will hardly make \p With the faster one, or the slower
  /// one. Short runs are made all the same: they vary most.
  static bool decided(const std::vector<Trials::Result> &Without,
                      const std::vector<Trials::Result> &With, bool AreShort) {
    const std::vector<double> A = beats(Without, &RunTime::Mean),
                              B = beats(With, &RunTime::Mean);
    return (!AreShort && compareRuns(A, B).Median > 1.05 &&
            undisturbedRatio(Without, With) >= 1 &&
            quickestRatio(Without, With) >= 1) ||
           clearlyGains(A, B);
  }

  /// True if more runs may show a gain that these do not.
  static bool isOpen(const std::vector<Trials::Result> &Without,
                     const std::vector<Trials::Result> &With) {
    const Comparison C = compareTimes(times(Without, true), times(With, true));
    return !C.Gains &&
           (C.Median < 0.95 || undisturbedRatio(Without, With) < 0.985 ||
            quickestRatio(Without, With) < 0.985);
  }

  /// True if \p With needs no run in \p Round, the first being 0.
  bool isOver(unsigned Round, const std::vector<Trials::Result> &Without,
              const std::vector<Trials::Result> &With, bool AreShort) const {
    if (Round < LeastRuns)
      return false;
    return Round < Rounds ? decided(Without, With, AreShort)
                          : !isOpen(Without, With);
  }

public:
  Calibration(Trials &T, const Plan &P, unsigned Rounds)
      : T(T), Current(P), Rounds(std::max(Rounds, LeastRuns)) {
    for (PlanPair &Pair : Current.Pairs)
      Pair.Chosen = Choice::Leave;
    for (const PlanPair &Pair : Current.Pairs)
      if (size_t Open = choicesFor(Pair).size())
        All += this->Rounds * unsigned(1 + Open);
    All += 2 * this->Rounds; // the whole plan
  }

  /// Pairs whose copies take less of the loop are left as they are: no number
  /// of runs would show a gain.
  static constexpr double LeastFraction = 0.005;
  static double fractionOf(const PlanPair &Pair) {
    auto It = Pair.Evidence.find("copy_fraction");
    return It == Pair.Evidence.end() ? 1 : It->second;
  }

  /// What may be tried for \p Pair as things stand.
  std::vector<Choice> choicesFor(const PlanPair &Pair) const {
    std::vector<Choice> Out;
    if (Pair.Disabled || fractionOf(Pair) < LeastFraction)
      return Out;
    bool Shared = false, Merged = false; // by another pair's choice
    for (const PlanPair &Other : Current.Pairs)
      if (Other.Id != Pair.Id && Other.HostSite == Pair.HostSite &&
          Other.Bytes == Pair.Bytes && Other.Chosen != Choice::Leave) {
        Shared = true;
        Merged |= drplan::merges(Other.Chosen);
      }
    for (Choice C : Pair.Open) {
      if (drplan::merges(C) ? !Pair.Validated || Shared : Merged)
        continue;
      Out.push_back(C);
    }
    return Out;
  }

  /// True if a run takes less than a second: more of them cost little.
  static bool areShort(const std::vector<std::vector<Trials::Result>> &Runs) {
    std::vector<double> Seconds;
    for (const std::vector<Trials::Result> &Kind : Runs)
      for (const Trials::Result &R : Kind)
        Seconds.push_back(R.Seconds);
    return medianOf(Seconds) < 1;
  }

  struct Compared {
    Comparison Result;
    std::string Differs; ///< how the program behaved otherwise; empty: as ever
    std::vector<RunTime> Without, With;
  };

  /// Runs \p Base and each of \p Plans in turns. Empty if it was stopped;
  /// a plan that changes the program has no gain.
  std::optional<std::vector<Compared>>
  compare(const Plan &Base, const std::vector<Plan> &Plans,
          const std::vector<std::string> &Names, const std::string &BaseName) {
    std::vector<std::vector<Trials::Result>> Runs(Plans.size() + 1);
    std::map<size_t, std::string> Out;
    unsigned Last = Rounds;
    for (unsigned Round = 0; Round < Last; ++Round) {
      // Each turn is run in full, so that the times stay pairs.
      const bool Short = areShort(Runs);
      std::vector<bool> Closed(Plans.size() + 1, false);
      for (size_t I = 1; I <= Plans.size(); ++I)
        Closed[I] = Out.count(I) || isOver(Round, Runs[0], Runs[I], Short);
      for (size_t I = 0; I <= Plans.size(); ++I) {
        // Forth and back, so that a drift of the machine favours none.
        size_t Which = Round % 2 ? Plans.size() - I : I;
        if (Out.count(Which) ||
            (Which
                 ? Closed[Which]
                 : std::count(Closed.begin() + 1, Closed.end(), false) == 0)) {
          ++Done;
          continue;
        }
        const std::string &Name = Which ? Names[Which - 1] : BaseName;
        Trials::Result R = run(Which ? Plans[Which - 1] : Base, Name);
        if (T.stopped())
          return std::nullopt;
        if (R.Differs.empty())
          Runs[Which].push_back(std::move(R));
        else
          Out[Which] = R.Differs;
      }
      // A single slow run must not hide a gain: as many runs again, and of
      // short ones twice.
      const bool Ends = Round + 1 == Last && Last < (Short ? 4 : 2) * Rounds;
      for (size_t I = 1; Ends && I <= Plans.size(); ++I)
        if (!Out.count(I) && isOpen(Runs[0], Runs[I])) {
          All += Last * unsigned(1 + Plans.size());
          Last *= 2;
          break;
        }
    }
    std::vector<Compared> Results(Plans.size());
    for (size_t I = 0; I < Plans.size(); ++I) {
      if (Out.count(I + 1))
        Results[I].Differs = Out[I + 1];
      if (Out.count(0) || Out.count(I + 1))
        continue;
      bool ByLoop = true;
      for (size_t Which : {size_t(0), I + 1})
        for (const Trials::Result &R : Runs[Which])
          ByLoop &= R.Loop.Mean > 0;
      Results[I].Without = times(Runs[0], ByLoop);
      Results[I].With = times(Runs[I + 1], ByLoop);
      Results[I].Result = compareTimes(Results[I].Without, Results[I].With);
    }
    return Results;
  }

  /// The program behaved otherwise with \p C: one buffer in any memory is then
  /// as wrong as in this one, whatever validation saw.
  static void distrust(PlanPair &Pair, Choice C, const std::string &Differs) {
    const std::string Why =
        fmt::format("with {} {}", drplan::ChoiceWords[unsigned(C)], Differs);
    if (drplan::merges(C)) {
      Pair.Validated = false;
      Pair.Rejected = Why;
    } else {
      Pair.Disabled = Why;
    }
  }

  /// Whether one buffer, in whatever memory, gains: the runs of all kinds
  /// together show what those of each are too few for. On a device with one
  /// memory the kinds hardly differ.
  static bool mergingGains(const std::vector<Choice> &Open,
                           const std::vector<Compared> &Results) {
    std::vector<RunTime> Without, With;
    for (size_t I = 0; I < Open.size(); ++I) {
      if (!drplan::merges(Open[I]))
        continue;
      if (!Results[I].Differs.empty())
        return false;
      Without = Results[I].Without; // the same for each
      With.insert(With.end(), Results[I].With.begin(), Results[I].With.end());
    }
    return compareOrder(Without, With).Gains;
  }

  /// Chooses for the pair at \p Index. False if it was stopped.
  bool choose(size_t Index) {
    const std::vector<Choice> Open = choicesFor(Current.Pairs[Index]);
    if (Open.empty())
      return true;
    std::vector<Plan> Plans;
    std::vector<std::string> Names;
    for (Choice C : Open) {
      Plans.push_back(Current);
      Plans.back().Pairs[Index].Chosen = C;
      Names.push_back(fmt::format("pair {} {}", Current.Pairs[Index].Id,
                                  drplan::ChoiceWords[unsigned(C)]));
    }
    const auto Results = compare(Current, Plans, Names,
                                 fmt::format("pair {} as before", Index + 1));
    if (!Results)
      return false;
    PlanPair &Pair = Current.Pairs[Index];
    double Best = 1;
    for (size_t I = 0; I < Open.size(); ++I)
      if (const std::string &Differs = (*Results)[I].Differs; !Differs.empty())
        distrust(Pair, Open[I], Differs);
    const bool MergingGains = Pair.Validated && mergingGains(Open, *Results);
    for (size_t I = 0; I < Open.size(); ++I) {
      const Comparison &C = (*Results)[I].Result;
      if (Pair.Disabled || (drplan::merges(Open[I]) && !Pair.Validated))
        continue;
      Pair.Evidence[std::string("ratio_") +
                    drplan::ChoiceWords[unsigned(Open[I])]] = C.Median;
      const bool Gains = C.Gains || (drplan::merges(Open[I]) && MergingGains);
      if (Gains && C.Median < Best) {
        Best = C.Median;
        Pair.Chosen = Open[I];
      }
    }
    return true;
  }

  /// What \p C says of the whole plan, for people.
  std::string whyOf(const Comparison &C) const {
    const char *What =
        C.OfUndisturbed ? "an undisturbed beat of the loop" : "the loop";
    if (C.OfQuickest)
      return fmt::format("in the quickest runs {} takes {:.3f} of its time, at "
                         "most {:.3f}",
                         What, C.Median, C.Upper);
    if (C.OfRanks)
      return fmt::format("{} takes {:.3f} of its time; that its runs come so "
                         "far ahead is chance in {:.1f} % of cases",
                         What, C.Median, 100 * C.Chance);
    return fmt::format(
        "{} takes {:.3f} of its time, at most {:.3f} with 95 % confidence, "
        "by {} pairs of runs{}",
        What, C.Median, C.Upper, Rounds,
        C.Gains ? "" : ": no gain beyond noise");
  }

  /// Compares the whole plan with the program as it is.
  bool finish() {
    Plan Nothing = Current;
    for (PlanPair &Pair : Nothing.Pairs)
      Pair.Chosen = Choice::Leave;
    Current.Enabled = false;
    if (Nothing == Current) {
      Current.Why = "no choice gains beyond noise";
      return true;
    }
    const auto Results = compare(Nothing, {Current}, {"the plan"}, "as it is");
    if (!Results)
      return false;
    const Compared &C = (*Results)[0];
    Current.Enabled = C.Result.Gains;
    if (!C.Differs.empty()) {
      Current.Why = "with the plan " + C.Differs;
      return true;
    }
    Current.Why = whyOf(C.Result);
    return true;
  }

  const Plan &plan() const { return Current; }
};

} // namespace

bool calibratePlan(Trials &T, Plan &P, const Launch &L,
                   const CalibrateOptions &O) {
  if (!T.comparesOutput())
    say("calibrate: the program's output differs from run to run; its exit "
        "status alone is compared");
  Calibration C(T, P, O.Runs);
  for (size_t I = 0; I < P.Pairs.size(); ++I)
    if (!C.choose(I))
      return false;
  if (!C.finish())
    return false;
  P = C.plan();
  P.CalibratedOn = L.Host;
  return true;
}

void printSummary(const Plan &P) {
  show("{:<5} {:<10} {:<13} {:<10} {}\n", "pair", "size", "choice", "validated",
       "time of the loop with each choice");
  for (const PlanPair &Pair : P.Pairs) {
    std::string Ratios;
    for (const auto &[Name, Number] : Pair.Evidence)
      if (Name.rfind("ratio_", 0) == 0)
        Ratios += fmt::format("{} {:.3f}  ", Name.substr(6), Number);
    show("{:<5} {:<10} {:<13} {:<10} {}{}\n", Pair.Id, bytesText(Pair.Bytes),
         drplan::ChoiceWords[unsigned(Pair.Chosen)],
         Pair.Validated ? "yes" : "no", Ratios,
         Pair.Disabled ? *Pair.Disabled : "");
  }
  show("plan {}: {}\n", P.Enabled ? "enabled" : "not enabled", P.Why);
}

} // namespace echo
