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
#include <set>

using namespace llvm;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace echo::suggest {

/// Compilations of one unit at most.
static constexpr unsigned MaxTrials = 12;

namespace {
/// By the number of the pair or copy.
using Chosen = std::map<unsigned, const Proposal *>;

/// How many pairs of each name there are.
struct Counts {
  explicit Counts(const UnitState &Unit);
  std::map<std::string, unsigned> Pairs, Merged; ///< by both buffers
  std::map<std::string, unsigned> Hosts, Proved; ///< merged ones, by the host's
  std::map<std::string, unsigned> Declined;      ///< likewise
  std::map<std::string, unsigned> ProvedPairs;   ///< by both buffers
};

class Searcher {
public:
  Searcher(Trial &T, const UnitState &Start) : T(T), Start(Start), Now(Start) {}
  Error run(Found &Result);

private:
  bool keep(const Chosen &Tried, Found &Result);
  /// True if what is kept for another pair or copy was enough.
  bool isDone(unsigned Number, Found &Result) const;

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
    Declined[Pair.Host] += Pair.Result == Verdict::Declined;
    if (!merges(Pair))
      continue;
    ++Merged[keyOf(Pair)];
    ++Hosts[Pair.Host];
    Proved[Pair.Host] += Pair.Result == Verdict::Unified;
    ProvedPairs[keyOf(Pair)] += Pair.Result == Verdict::Unified;
  }
}

/// The host buffer that merges with \p P, a proposal for entry \p Number.
static const std::string &hostOf(const Proposal &P, unsigned Number,
                                 const UnitState &Unit) {
  return P.Host.empty() ? Unit.Pairs[Number].Host : P.Host;
}

/// Echo inlines functions, so that one pair of the text may be declined for one
/// call and merge for another; with another buffer both may be one pair. If no
/// call has the pair \p Key any more, \p Least asks for one merge of \p Host in
/// place of those of \p Key. It does not where a pair of \p Host is declined
/// instead, or is not proved although \p P needs that.
static void letMove(const std::string &Key, const std::string &Host,
                    const Proposal &P, Counts &Least, Counts &New) {
  const unsigned Merged = Least.Merged[Key], Proved = Least.ProvedPairs[Key];
  const unsigned Declined = Least.Pairs[Key] - Merged;
  const unsigned Unproved = New.Hosts[Host] - New.Proved[Host];
  if (New.Pairs[Key] > 0 ||
      Least.Declined[Host] < New.Declined[Host] + Declined ||
      (P.Result == Outcome::Unifies &&
       Least.Hosts[Host] - Least.Proved[Host] < Unproved + Merged - Proved))
    return;
  Least.Hosts[Host] -= Merged;
  Least.Proved[Host] -= Proved;
  Least.Declined[Host] -= Declined;
  Least.Merged[Key] = Least.ProvedPairs[Key] = Least.Pairs[Key] = 0;
}

/// True if \p After has what \p Tried promises of pairs of \p Start, and all
/// that merges in \p Before.
static bool fits(const UnitState &Start, const UnitState &Before,
                 const UnitState &After, const Chosen &Tried) {
  Counts New(After), Least(Before);
  std::set<std::string> NewHosts;
  for (const auto &[Number, P] : Tried) {
    if (P->Result == Outcome::Gone) {
      --Least.Pairs[keyOf(Start.Pairs[Number])];
      continue;
    }
    const std::string &Host = hostOf(*P, Number, Start);
    // Several copies of a new buffer are of one pair.
    if (!P->Host.empty() && !NewHosts.insert(Host).second)
      continue;
    if (P->Host.empty())
      letMove(keyOf(Start.Pairs[Number]), Host, *P, Least, New);
    ++Least.Hosts[Host];
    Least.Proved[Host] += P->Result == Outcome::Unifies;
  }
  for (const auto &[Number, P] : Tried) {
    if (P->Result == Outcome::Gone) {
      const std::string Key = keyOf(Start.Pairs[Number]);
      if (New.Pairs[Key] > Least.Pairs[Key])
        return false;
      continue;
    }
    const std::string &Host = hostOf(*P, Number, Start);
    if (New.Hosts[Host] < Least.Hosts[Host] ||
        New.Proved[Host] < Least.Proved[Host])
      return false;
  }
  return all_of(Least.Merged, [&](const auto &Entry) {
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

/// True if \p P and \p Q are one change, proposed for two copies.
static bool areSame(const Proposal &P, const Proposal &Q) {
  return !P.Host.empty() && P.Host == Q.Host && P.What == Q.What;
}

bool Searcher::keep(const Chosen &Tried, Found &Result) {
  Replacements All = Result.Changes;
  std::vector<const Proposal *> Added;
  for (const auto &[Number, P] : Tried) {
    if (any_of(Added, [&](const Proposal *Q) { return areSame(*P, *Q); }))
      continue;
    Added.push_back(P);
    for (const Edit &E : P->Edits)
      if (!add(All, Result.File, E))
        return false;
  }
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

bool Searcher::isDone(unsigned Number, Found &Result) const {
  const std::vector<Proposal> &All = Start.proposals(Number);
  for (const auto &[Other, P] : Result.OfPair)
    if (any_of(All, [&](const Proposal &Q) { return areSame(P, Q); })) {
      Result.OfPair[Number] = Proposal(P);
      return true;
    }
  if (Number >= Start.Pairs.size() || Result.OfPair.empty())
    return false;
  Counts After(Now), Before(Start);
  const std::string Key = keyOf(Start.Pairs[Number]);
  if (After.Merged[Key] <= Before.Merged[Key])
    return false;
  Result.OfPair[Number] = Proposal(Result.OfPair.rbegin()->second);
  return true;
}

Error Searcher::run(Found &Result) {
  Result.File = Start.File;
  auto Text = MemoryBuffer::getFile(Start.File);
  if (!Text)
    return createStringError("cannot read '%s': %s", Start.File.c_str(),
                             Text.getError().message().c_str());
  Result.Text = (*Text)->getBuffer().str();
  Result.Pairs = Start.Pairs.size();
  Chosen First;
  for (const PairState &Pair : Start.Pairs)
    Result.Declined += Pair.Result == Verdict::Declined;
  for (unsigned I = 0; I != Start.Pairs.size() + Start.Copies.size(); ++I)
    if (!Start.proposals(I).empty())
      First[I] = &Start.proposals(I).front();
  if (First.size() > 1 && keep(First, Result))
    return Error::success();
  for (const auto &[Number, Best] : First) {
    if (isDone(Number, Result))
      continue;
    for (const Proposal &P : Start.proposals(Number))
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
  Result.Start = std::move(*Start);
  return Result;
}

} // namespace echo::suggest
