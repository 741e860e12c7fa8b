//===- Search.cpp - Which proposals let pairs merge -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first proposals of all pairs together are tried first: mostly all fit,
// and one compilation says so. Else pairs are looked at one by one.
//
//===----------------------------------------------------------------------===//
#include "Search.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace echo::suggest {

/// Compilations of one unit at most.
static constexpr unsigned MaxTrials = 12;

namespace {
using Chosen = std::map<unsigned, const Proposal *>; ///< by the pair's number

/// How many pairs of each name there are.
struct Counts {
  explicit Counts(const UnitState &Unit);
  std::map<std::string, unsigned> Pairs, Merged; ///< by both buffers
  std::map<std::string, unsigned> Hosts, Proved; ///< merged ones, by the host's
};

class Searcher {
public:
  Searcher(Trial &T, const UnitState &Start) : T(T), Start(Start), Now(Start) {}
  Error run(Found &Result);

private:
  bool keep(const Chosen &Tried, Found &Result);

  Trial &T;
  const UnitState &Start; ///< the unit as it is
  UnitState Now;          ///< the unit with what is kept
  unsigned Trials = 0;
};
} // namespace

static std::string keyOf(const PairState &Pair) {
  return Pair.Host + " + " + Pair.Device;
}

static bool merges(const PairState &Pair) {
  return Pair.Result == Verdict::Unified || Pair.Result == Verdict::Guarded ||
         Pair.Result == Verdict::Assumed;
}

Counts::Counts(const UnitState &Unit) {
  for (const PairState &Pair : Unit.Pairs) {
    ++Pairs[keyOf(Pair)];
    if (!merges(Pair))
      continue;
    ++Merged[keyOf(Pair)];
    ++Hosts[Pair.Host];
    Proved[Pair.Host] += Pair.Result == Verdict::Unified;
  }
}

/// True if \p After has what \p Tried promises of pairs of \p Start, and all
/// that merges in \p Before.
static bool fits(const UnitState &Start, const UnitState &Before,
                 const UnitState &After, const Chosen &Tried) {
  const Counts Old(Before);
  Counts New(After), Least(Before);
  for (const auto &[Number, P] : Tried) {
    const PairState &Pair = Start.Pairs[Number];
    if (P->Result == Outcome::Gone) {
      --Least.Pairs[keyOf(Pair)];
      continue;
    }
    ++Least.Hosts[Pair.Host];
    Least.Proved[Pair.Host] += P->Result == Outcome::Unifies;
  }
  for (const auto &[Number, P] : Tried) {
    const PairState &Pair = Start.Pairs[Number];
    const bool Gone = P->Result == Outcome::Gone;
    if (Gone ? New.Pairs[keyOf(Pair)] > Least.Pairs[keyOf(Pair)]
             : New.Hosts[Pair.Host] < Least.Hosts[Pair.Host] ||
                   New.Proved[Pair.Host] < Least.Proved[Pair.Host])
      return false;
  }
  return all_of(Old.Merged, [&](const auto &Entry) {
    return New.Merged[Entry.first] >= Entry.second;
  });
}

/// Adds \p E to \p All, behind what is inserted at the same place. False: the
/// two change the same bytes.
static bool add(Replacements &All, StringRef File, const Edit &E) {
  const Replacement R(File, E.Offset, E.Length, E.Text);
  if (is_contained(All, R))
    return true;
  Error Conflict = All.add(R);
  if (!Conflict)
    return true;
  bool SamePlace = false;
  handleAllErrors(
      std::move(Conflict), [&](const clang::tooling::ReplacementError &Why) {
        SamePlace =
            Why.get() == clang::tooling::replacement_error::insert_conflict;
      });
  if (!SamePlace)
    return false;
  const Replacement Shifted(File, All.getShiftedCodePosition(E.Offset),
                            E.Length, E.Text);
  All = All.merge(Replacements(Shifted));
  return true;
}

bool Searcher::keep(const Chosen &Tried, Found &Result) {
  Replacements All = Result.Changes;
  for (const auto &[Number, P] : Tried)
    for (const Edit &E : P->Edits)
      if (!add(All, Result.File, E))
        return false;
  Expected<std::string> Text =
      clang::tooling::applyAllReplacements(Result.Text, All);
  if (!Text) {
    consumeError(Text.takeError());
    return false;
  }
  if (++Trials > MaxTrials)
    return false;
  Expected<UnitState> After = T.run(Result.File, *Text);
  if (!After) {
    consumeError(After.takeError()); // the changed unit does not compile
    return false;
  }
  if (!fits(Start, Now, *After, Tried))
    return false;
  Now = std::move(*After);
  Result.Changes = std::move(All);
  for (const auto &[Number, P] : Tried)
    Result.OfPair[Number] = *P;
  return true;
}

Error Searcher::run(Found &Result) {
  Result.File = Start.File;
  auto Text = MemoryBuffer::getFile(Start.File);
  if (!Text)
    return createStringError("cannot read '%s': %s", Start.File.c_str(),
                             Text.getError().message().c_str());
  Result.Text = (*Text)->getBuffer().str();
  Chosen First;
  for (const auto &[Number, Pair] : enumerate(Start.Pairs)) {
    Result.Declined += Pair.Result == Verdict::Declined;
    if (!Pair.Proposals.empty())
      First[Number] = &Pair.Proposals.front();
  }
  if (First.size() > 1 && keep(First, Result))
    return Error::success();
  const Counts Before(Start);
  for (const auto &[Number, Best] : First) {
    const PairState &Pair = Start.Pairs[Number];
    Counts Merged(Now), Old(Before);
    // The change for another pair was enough.
    if (!Result.OfPair.empty() &&
        Merged.Merged[keyOf(Pair)] > Old.Merged[keyOf(Pair)]) {
      Result.OfPair[Number] = Result.OfPair.rbegin()->second;
      continue;
    }
    for (const Proposal &P : Pair.Proposals)
      if (keep({{Number, &P}}, Result))
        break;
  }
  return Error::success();
}

Expected<Found> search(Trial &T) {
  Expected<UnitState> Start = T.run();
  if (!Start)
    return Start.takeError();
  Found Result;
  if (Error E = Searcher(T, *Start).run(Result))
    return std::move(E);
  return Result;
}

} // namespace echo::suggest
