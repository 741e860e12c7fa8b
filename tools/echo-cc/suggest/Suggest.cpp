//===- Suggest.cpp - echo-cc --suggest ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is written even without a suggestion, so that no old one is taken for
// this command's.
//
//===----------------------------------------------------------------------===//
#include "Suggest.h"
#include "OtherUnits.h"
#include "PatchText.h"
#include "Report/SuggestedChanges.h"
#include "Search.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using clang::tooling::Replacement;

namespace echo::suggest {

/// The place of byte \p Offset.
static SourcePlace placeOf(const Found &Unit, unsigned Offset) {
  const StringRef Before = StringRef(Unit.Text).take_front(Offset);
  return {Unit.File, static_cast<unsigned>(Before.count('\n')) + 1,
          static_cast<unsigned>(Before.size() - (Before.rfind('\n') + 1)) + 1};
}

/// The kept proposals, and \p Advice for others, as the report has them.
static SuggestedChanges forReport(const Found &Unit,
                                  std::map<unsigned, std::string> Advice) {
  SuggestedChanges All;
  All.Advice = std::move(Advice);
  for (const auto &[Number, P] : Unit.OfPair) {
    All.Advice.erase(Number);
    SuggestedChange &Change = All.Changes[Number];
    Change.What = P.What;
    for (const Edit &E : P.Edits)
      Change.Changes.push_back({placeOf(Unit, E.Offset),
                                placeOf(Unit, E.Offset + E.Length), E.Text});
  }
  return All;
}

/// Makes the host job report what was found.
static Error passToHostJob(clang::driver::Compilation &C, const UnitJobs &Jobs,
                           const SuggestedChanges &Changes,
                           PrivateFiles &Files) {
  Expected<std::string> File = Files.create("suggestions", toText(Changes));
  if (!File)
    return File.takeError();
  opt::ArgStringList Args = Jobs.Host->getArguments();
  Args.insert(Args.begin() + 1,
              C.getArgs().MakeArgString("--echo-suggestions=" + *File));
  Jobs.Host->replaceArguments(std::move(Args));
  return Error::success();
}

static Error writeFile(StringRef Path, ArrayRef<Found> Units) {
  std::string Text;
  if (Path.ends_with(".yaml")) {
    std::vector<Replacement> All;
    for (const Found &Unit : Units)
      append_range(All, Unit.Changes);
    Text = replacementYaml(Units.empty() ? "" : Units.front().File, All);
  } else {
    for (const Found &Unit : Units)
      Text += unifiedDiff(Unit.File, Unit.Text, Unit.Changes);
  }
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (!EC) {
    OS << Text;
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  return EC ? createStringError("cannot write '%s' (--suggest): %s",
                                Path.str().c_str(), EC.message().c_str())
            : Error::success();
}

Expected<Summary> suggest(clang::driver::Compilation &C,
                          const std::vector<std::string> &To,
                          PrivateFiles &Files) {
  Summary All;
  std::vector<Found> Units;
  std::vector<UnitJobs> JobsOf;
  std::vector<UnitState> States;
  for (const UnitJobs &Jobs : unitsOf(C)) {
    Trial T(C, Jobs, Files);
    Expected<Found> Unit = search(T);
    if (!Unit) {
      consumeError(Unit.takeError()); // its own job says why
      continue;
    }
    All.Declined += Unit->Declined;
    for (const auto &[Number, P] : Unit->OfPair)
      ++(Number < Unit->Pairs ? All.Suggested : All.Copies);
    JobsOf.push_back(Jobs);
    States.push_back(std::move(Unit->Start));
    Units.push_back(std::move(*Unit));
  }
  for (unsigned I = 0; I != Units.size(); ++I)
    if (Error E = passToHostJob(
            C, JobsOf[I], forReport(Units[I], linkAdvice(States, I)), Files))
      return std::move(E);
  for (const std::string &Path : To)
    if (Error E = writeFile(Path, Units))
      return std::move(E);
  return All;
}

} // namespace echo::suggest
