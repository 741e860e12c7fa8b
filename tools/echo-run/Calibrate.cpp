//===- Calibrate.cpp - Which choice pays for which pair -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pair by pair, largest copy time first: runs the program with each choice that
// is open and without it, in turns, and keeps the one that promises most. That
// is a guess. Whether the plan is enabled is decided once, at the end, for all
// of it, in runs of their own: lib/Profile/Statistics.h says how, and how often
// it may be wrong. One buffer is not tried where it could not be seen that the
// program's results are what they were, unless the user accepts that.
//
//===----------------------------------------------------------------------===//
#include "Trials.h"

#include "Profile/Choosing.h"
#include "Profile/Report.h"
#include "Profile/Statistics.h"

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
  bool Accept;
  unsigned Done = 0, All = 0;
  double Seconds = 0;
  double Spread = 0;         ///< largest of runs of one kind
  bool WatchesMapped = true; ///< no run has shown that the device does not
  Progress Line{"calibrate"};

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
    for (const Trace &Of : R.Traces)
      WatchesMapped &= !Of.MappedUnwatched;
    ++Done;
    All = std::max(All, Done);
    Seconds += R.Seconds;
    Line.show(
        fmt::format("run {} of {}, {}: {}{}", Done, All, What,
                    !R.Differs.empty() ? R.Differs
                    : R.Loop.Mean > 0  ? timeText(R.Loop.Mean) + " an iteration"
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
      Out.push_back(timeOf(R, ByLoop));
    return Out;
  }

  static RunTime timeOf(const Trials::Result &R, bool ByLoop) {
    const double Whole = R.Seconds * 1e9;
    return ByLoop ? RunTime{R.Loop.Mean, R.Loop.Undisturbed, Whole}
                  : RunTime{Whole, 0, Whole};
  }

  /// Runs of a comparison are few where each takes long.
  unsigned looks() const { return T.plain().Seconds > 5 ? 2 : 3; }

public:
  Calibration(Trials &T, const Plan &P, const CalibrateOptions &O)
      : T(T), Current(P), Rounds(std::max(O.Runs, LeastRuns)),
        Accept(O.Accept) {
    for (PlanPair &Pair : Current.Pairs)
      Pair.Chosen = Choice::Leave;
    for (const PlanPair &Pair : Current.Pairs)
      if (size_t Open = choicesFor(Pair).size())
        All += Rounds * unsigned(1 + Open);
    All += 2 * PairedTest(Rounds, looks()).wanted(); // the whole plan
  }

  /// Why no two buffers become one, whatever validation saw; empty if they may.
  std::string whyNoMerging() const {
    if (Accept)
      return "";
    if (T.comparesNothing())
      return "nothing but the exit status can be compared; --accept allows it";
    if (const std::vector<std::string> Files = T.uncompared(); !Files.empty())
      return "what is written to " + Files[0] +
             " cannot be compared; --accept allows it";
    if (Current.Context.Unseen)
      return *Current.Context.Unseen + "; --accept allows it";
    return "";
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
      if (drplan::merges(C)
              ? !Pair.Validated || Shared || !whyNoMerging().empty()
              : Merged)
        continue;
      Out.push_back(C);
    }
    return Out;
  }

  struct Compared {
    Promise Result;
    std::string Differs; ///< how the program behaved otherwise; empty: as ever
  };

  /// Runs \p Base and each of \p Plans in turns. Empty if it was stopped;
  /// a plan that changes the program promises nothing.
  std::optional<std::vector<Compared>>
  compare(const Plan &Base, const std::vector<Plan> &Plans,
          const std::vector<std::string> &Names, const std::string &BaseName) {
    std::vector<std::vector<Trials::Result>> Runs(Plans.size() + 1);
    std::map<size_t, std::string> Out;
    for (unsigned Round = 0; Round < Rounds; ++Round) {
      // Each turn is run in full, so that the times stay pairs.
      std::vector<bool> Closed(Plans.size() + 1, false);
      for (size_t I = 1; I <= Plans.size(); ++I)
        Closed[I] =
            Out.count(I) || isClear(times(Runs[0], true), times(Runs[I], true));
      for (size_t I = 0; I <= Plans.size(); ++I) {
        // Forth and back, so that a drift of the machine favours none.
        size_t Which = Round % 2 ? Plans.size() - I : I;
        if (Out.count(Which) ||
            (Which
                 ? Closed[Which]
                 : std::count(Closed.begin() + 1, Closed.end(), false) == 0)) {
          All -= All > Done;
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
    }
    Spread = std::max(Spread, spreadOfRuns(times(Runs[0], true)));
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
      Results[I].Result =
          promiseOf(times(Runs[0], ByLoop), times(Runs[I + 1], ByLoop));
    }
    return Results;
  }

  /// The program behaved otherwise with \p C: one buffer in any memory is then
  /// as wrong as in this one, whatever validation saw.
  static void distrust(PlanPair &Pair, Choice C, const std::string &Differs) {
    const std::string Why =
        fmt::format("with {} {}", drplan::ChoiceWords[unsigned(C)], Differs);
    if (drplan::restsOnValidation(C)) {
      Pair.Validated = false;
      Pair.Rejected = Why;
    } else {
      Pair.Disabled = Why;
    }
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
    for (size_t I = 0; I < Open.size(); ++I)
      if (const std::string &Differs = (*Results)[I].Differs; !Differs.empty())
        distrust(Pair, Open[I], Differs);
    std::vector<Candidate> Candidates(Open.size()); // of no promise
    for (size_t I = 0; I < Open.size(); ++I) {
      if (isOut(Pair, Open[I]))
        continue;
      const Promise &C = (*Results)[I].Result;
      Pair.Evidence[std::string("ratio_") +
                    drplan::ChoiceWords[unsigned(Open[I])]] = C.Ratio;
      Candidates[I] = {C, canBeWatched(Open[I], WatchesMapped),
                       drplan::restsOnValidation(Open[I])};
    }
    const Selection S = selectOf(Candidates);
    if (!S.Best)
      return true;
    const Choice Otherwise = S.Otherwise ? Open[*S.Otherwise] : Choice::Leave;
    Pair.Chosen = Open[*S.Best];
    return !S.NeedsProof || prove(Index, Open[*S.Best], Otherwise);
  }

  /// Lets uploads go on of pairs that are pinned. They have the same memory so,
  /// and are compared with that alone, beside what was chosen for the others:
  /// copies of pageable memory would hide a gain. False if it was stopped.
  bool queue() {
    for (size_t I = 0; I < Current.Pairs.size(); ++I)
      if (mayQueue(Current.Pairs[I]) &&
          !prove(I, Choice::PinnedQueued, Choice::PinnedSplit))
        return false;
    return true;
  }

  /// True if uploads of \p Pair, which is pinned, may go on.
  bool mayQueue(const PlanPair &Pair) const {
    return Pair.Chosen == Choice::PinnedSplit && Pair.Validated &&
           Pair.couldMerge() && whyNoMerging().empty() &&
           std::any_of(Pair.Copies.begin(), Pair.Copies.end(),
                       [](const PlanCopy &C) {
                         return C.ToDevice && C.Needed != drplan::Wait::None;
                       });
  }

  static bool isOut(const PlanPair &Pair, Choice C) {
    return Pair.Disabled || (drplan::restsOnValidation(C) && !Pair.Validated);
  }

  /// Chooses \p C for the pair at \p Index if it is clearly better than
  /// \p Otherwise, which is chosen if not. False if it was stopped.
  bool prove(size_t Index, Choice C, Choice Otherwise) {
    PlanPair &Pair = Current.Pairs[Index];
    Plan Plans[] = {Current, Current};
    std::string Names[2];
    for (unsigned I = 0; I != 2; ++I) {
      const Choice Chosen = I ? C : Otherwise;
      Plans[I].Pairs[Index].Chosen = Chosen;
      Names[I] = fmt::format("pair {} {} again", Pair.Id,
                             drplan::ChoiceWords[unsigned(Chosen)]);
    }
    PairedTest Test(Rounds, looks());
    All += 2 * Test.most();
    unsigned Runs = 0;
    while (Test.wanted()) {
      Trials::Result R[2];
      for (unsigned I = 0; I != 2; ++I, ++Runs) {
        const unsigned Which = Runs / 2 % 2 ? 1 - I : I;
        R[Which] = run(Plans[Which], Names[Which]);
        if (T.stopped())
          return false;
        if (R[Which].Differs.empty())
          continue;
        const Choice Wrong = Which ? C : Otherwise;
        if (Wrong != Choice::Leave)
          distrust(Pair, Wrong, R[Which].Differs);
        if (Which && !isOut(Pair, Otherwise))
          Pair.Chosen = Otherwise;
        return true;
      }
      const bool ByLoop = R[0].Loop.Mean > 0 && R[1].Loop.Mean > 0;
      Test.add(timeOf(R[0], ByLoop), timeOf(R[1], ByLoop));
    }
    All -= std::min(2 * Test.most() - Runs, All - Done);
    const bool Better = Test.decision().What == PairedTest::Verdict::Gains;
    if (!Better)
      say(fmt::format("calibrate: pair {} gets {}, not {}: {}", Pair.Id,
                      drplan::ChoiceWords[unsigned(Otherwise)],
                      drplan::ChoiceWords[unsigned(C)], Test.decision().Why));
    Pair.Chosen = Better ? C : Otherwise;
    const bool Watched = canBeWatched(C, WatchesMapped);
    Pair.Evidence[Watched ? (Better ? OverPinned : NotOverPinned)
                          : (Better ? OverWatched : NotOverWatched)] =
        Test.decision().Median;
    return true;
  }

  /// Compares the whole plan with the program as it is: the one decision.
  bool finish() {
    Plan Nothing = Current;
    for (PlanPair &Pair : Nothing.Pairs)
      Pair.Chosen = Choice::Leave;
    Current.Enabled = false;
    if (Nothing == Current) {
      Current.Why = "no choice promises a gain";
      if (Spread > BusySpread)
        Current.Why += fmt::format(
            ", but the machine is too busy to tell: runs of one kind differ by "
            "{:.0f} %; try again when it is idle",
            100 * Spread);
      return true;
    }
    PairedTest Test(Rounds, looks());
    All = Done + 2 * Test.wanted();
    for (unsigned Pair = 0; Test.wanted(); ++Pair) {
      All = std::max(All, Done + 2 * (Test.wanted() - Pair));
      Trials::Result R[2];
      for (unsigned I = 0; I != 2; ++I) {
        // First the one, then the other, so that a drift favours none.
        const unsigned Which = Pair % 2 ? 1 - I : I;
        R[Which] =
            run(Which ? Current : Nothing, Which ? "the plan" : "as it is");
        if (T.stopped())
          return false;
        if (R[Which].Differs.empty())
          continue;
        Current.Why =
            (Which ? "with the plan " : "without a plan ") + R[Which].Differs;
        return true;
      }
      const bool ByLoop = Current.LoopSite && R[0].Loop.Mean > 0;
      Test.add(timeOf(R[0], ByLoop), timeOf(R[1], ByLoop));
    }
    const PairedTest::Decision &D = Test.decision();
    Current.Enabled = D.What == PairedTest::Verdict::Gains;
    Current.Why = D.Why;
    const bool Merges = std::any_of(
        Current.Pairs.begin(), Current.Pairs.end(), [](const PlanPair &Pair) {
          return drplan::restsOnValidation(Pair.Chosen);
        });
    // The last runs may have shown that what agreed before was chance.
    if (const std::string Why = whyNoMerging();
        Current.Enabled && Merges && !Why.empty()) {
      Current.Enabled = false;
      Current.Why = Why;
    }
    return true;
  }

  const Plan &plan() const { return Current; }
};

} // namespace

bool calibratePlan(Trials &T, Plan &P, const Launch &L,
                   const CalibrateOptions &O) {
  Calibration C(T, P, O);
  if (const std::string Why = C.whyNoMerging(); !Why.empty())
    say("calibrate: no two buffers are made one: " + Why);
  for (size_t I = 0; I < P.Pairs.size(); ++I)
    if (!C.choose(I))
      return false;
  if (!C.queue() || !C.finish())
    return false;
  P = C.plan();
  P.CalibratedOn = L.Host;
  P.Context.Machine = L.Machine;
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
    if (const std::string Text = provedText(Pair); !Text.empty())
      Ratios += Text + "  ";
    show("{:<5} {:<10} {:<13} {:<10} {}{}\n", Pair.Id, bytesText(Pair.Bytes),
         drplan::ChoiceWords[unsigned(Pair.Chosen)],
         Pair.Validated ? "yes" : "no", Ratios,
         Pair.Disabled ? *Pair.Disabled : "");
  }
  show("plan {}: {}\n", P.Enabled ? "enabled" : "not enabled", P.Why);
}

} // namespace echo
