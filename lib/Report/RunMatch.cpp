//===- RunMatch.cpp - Which copies of a report a measured run has ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RunMatch.h. A pair's own function may be compiled in another unit, too,
// if it is in a header, and several times, if it is a template: there a line
// does not say whose copy ran.
//
//===----------------------------------------------------------------------===//
#include "Report/RunMatch.h"
#include "Support/AssumedPairs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace llvm;

namespace echo {

namespace {

/// A line of a file, whatever a name of that file is relative to.
using Line = std::pair<std::string, unsigned>;

class RunMatcher {
public:
  RunMatcher(const UnitReport &Unit, const MeasuredRun &Run,
             const RunSources &Sources);
  MeasuredCopies measured(const PairReport &Pair);

private:
  const std::string &whole(const std::string &File);
  Line lineOf(const SourcePlace &P) { return {whole(P.File), P.Line}; }
  std::vector<Line> linesOf(const SourceLoc &Loc);
  bool isNewer(const std::vector<Line> &Lines, int64_t BuiltNs) const;
  std::optional<Unmeasured> find(const LinkCopy &Copy,
                                 std::vector<const RunCopy *> &Found);

  const RunSources &Sources;
  std::map<std::string, std::string> WholeNames;
  /// Pairs and other copies that have a copy on the line.
  std::map<Line, std::set<const void *>> Users;
  std::map<std::vector<Line>, unsigned> Copies; ///< that these lines lead to
  std::vector<std::pair<const RunCopy *, std::vector<Line>>> Run;
};

} // namespace

RunMatcher::RunMatcher(const UnitReport &Unit, const MeasuredRun &Measured,
                       const RunSources &Sources)
    : Sources(Sources) {
  for (const PairReport &Pair : Unit.Pairs)
    for (const LinkCopy &Copy : Pair.Links) {
      Users[lineOf(Copy.Loc)].insert(&Pair);
      ++Copies[linesOf(Copy.Loc)];
    }
  for (const KeptCopy &Copy : Unit.CopiesKept)
    Users[lineOf(Copy.Loc)].insert(&Copy);
  for (const SourcePlace &Shared : Sources.SharedLines)
    Users[lineOf(Shared)].insert(&Shared);
  for (const RunCopy &Copy : Measured.Copies) {
    std::vector<Line> Lines;
    for (const RunPlace &P : Copy.Places)
      Lines.emplace_back(whole(P.File), P.Line);
    Run.emplace_back(&Copy, std::move(Lines));
  }
}

/// The one name of \p File, which is relative to the current folder, if to any.
const std::string &RunMatcher::whole(const std::string &File) {
  const auto [It, IsNew] = WholeNames.insert({File, ""});
  if (!IsNew)
    return It->second;
  SmallString<256> Name(File), Real;
  if (sys::fs::make_absolute(Name))
    return It->second = File;
  if (!sys::fs::real_path(Name, Real))
    return It->second = std::string(Real);
  sys::path::remove_dots(Name, /*remove_dot_dot=*/true);
  return It->second = std::string(Name);
}

std::vector<Line> RunMatcher::linesOf(const SourceLoc &Loc) {
  std::vector<Line> Lines = {lineOf(Loc)};
  for (const CallPlace &Call : Loc.Callers)
    Lines.push_back(lineOf(Call));
  return Lines;
}

/// True if a file of \p Lines was written after the program was.
bool RunMatcher::isNewer(const std::vector<Line> &Lines,
                         int64_t BuiltNs) const {
  return any_of(Lines, [&](const Line &L) {
    sys::fs::file_status Status;
    return !sys::fs::status(L.first, Status) &&
           Status.getLastModificationTime().time_since_epoch() >
               std::chrono::nanoseconds(BuiltNs);
  });
}

/// The copies of the run that are \p Copy, or why there are none for certain.
std::optional<Unmeasured>
RunMatcher::find(const LinkCopy &Copy, std::vector<const RunCopy *> &Found) {
  const std::vector<Line> Lines = linesOf(Copy.Loc);
  const std::string &Own = Copy.Loc.own().File;
  if (Copy.Chosen)
    return Unmeasured::OtherPair;
  if (Users.at(Lines.front()).size() != 1 || Copies.at(Lines) != 1)
    return Unmeasured::SharedLine;
  if (none_of(Sources.Files, [&](StringRef Source) {
        return isEndOf(Own, Source) || isEndOf(Source, Own);
      }))
    return Unmeasured::Header;
  for (const auto &[Each, Places] : Run)
    if (Copy.Loc.Line && Places.size() >= Lines.size() &&
        std::equal(Lines.begin(), Lines.end(), Places.begin()))
      Found.push_back(Each);
  if (Found.empty())
    return Unmeasured::NotInRun;
  for (const RunCopy *Each : Found) {
    if (Each->HostToDevice != Copy.HostToDevice ||
        (Copy.Bytes &&
         (Each->Least != *Copy.Bytes || Each->Most != *Copy.Bytes)))
      return Unmeasured::Differs;
    if (StringRef(Each->Places[Lines.size() - 1].Function).contains('<'))
      return Unmeasured::Template;
    if (Each->Pair != Found.front()->Pair)
      return Unmeasured::SeveralBuffers;
    if (isNewer(Lines, Each->BuiltNs))
      return Unmeasured::Changed;
  }
  return std::nullopt;
}

MeasuredCopies RunMatcher::measured(const PairReport &Pair) {
  MeasuredCopies M;
  for (const LinkCopy &Copy : Pair.Links) {
    ++M.Copies;
    std::vector<const RunCopy *> Found;
    if (const std::optional<Unmeasured> Why = find(Copy, Found)) {
      M.Missing.push_back({Copy.Loc.own(), *Why});
      continue;
    }
    for (const RunCopy *Each : Found) {
      M.PerIteration += Each->Copies;
      M.Bytes += Each->Bytes;
      M.Ns += Each->Ns;
      M.Fraction = std::min(1.0, M.Fraction + Each->Fraction);
    }
  }
  return M;
}

void addMeasured(UnitReport &Unit, const MeasuredRun &Run,
                 const RunSources &Sources) {
  RunMatcher Matcher(Unit, Run, Sources);
  for (PairReport &Pair : Unit.Pairs)
    Pair.Measured = Matcher.measured(Pair);
}

} // namespace echo
